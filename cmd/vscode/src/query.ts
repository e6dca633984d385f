import { vscode } from './vscode'
import { ConnectionChoice } from './connectionChoice'
import type { Folder } from './folder'
import type { Folders } from './folders'
import type { Rows } from './grid'
import { note, report } from './log'
import { RowsTab } from './rowsTab'
import { explaining } from './schema'

// Queries runs the selection of a SQL file and shows the rows in a grid beside
// it. It reads only; what writes goes through an approval.
export class Queries implements vscode.Disposable {
  private readonly choice: ConnectionChoice
  private readonly tab: RowsTab
  private readonly commands = vscode.Disposable.from(
    vscode.commands.registerCommand('berth.runQuery', () => this.run((_, query) => query)),
    vscode.commands.registerCommand('berth.explainQuery', () => this.run(explaining)),
  )

  constructor(
    private readonly folders: Folders,
    extension: vscode.Uri,
    memory: vscode.Memento,
  ) {
    this.choice = new ConnectionChoice(folders, memory)
    this.tab = new RowsTab(folders, extension)
  }

  dispose(): void {
    this.commands.dispose()
    this.choice.dispose()
    this.tab.dispose()
  }

  // run runs what is selected, or what a dialect makes of it.
  private async run(made: (dialect: string, query: string) => string | null): Promise<void> {
    const editor = vscode.window.activeTextEditor
    const folder = this.folders.current
    if (!editor || !folder) return
    const query = (editor.selection.isEmpty ? editor.document.getText() : editor.document.getText(editor.selection)).trim()
    try {
      const connection = query ? await this.choice.of(folder, editor.document.uri) : undefined
      if (!connection) return
      const statement = made(connection.dialect, query)
      if (statement === null) void vscode.window.showInformationMessage('SQL Server explains a query only by a setting of the session, which would stay on: berth does not set it.')
      else await this.show(folder, connection.name, statement)
    } catch (cause) {
      report('run the query', cause)
    }
  }

  // sample shows the first rows of a table.
  sample(folder: Folder, connection: string, table: string): Promise<void> {
    return this.tab.sample(folder, connection, table)
  }

  private async show(folder: Folder, connection: string, query: string): Promise<void> {
    const reply = await folder.instance.tool('run-query', { connection, query })
    if (!reply.failed) {
      const rows = reply.json as Rows
      note({ event: 'rows', count: rows.rows.length })
      this.tab.show({ root: folder.root, connection, query }, rows)
      return
    }
    if (await this.asksToWrite(reply.text)) await this.write(folder, connection, query)
  }

  private async asksToWrite(refusal: string): Promise<boolean> {
    note({ event: 'queryRefused', text: refusal.slice(0, 200) })
    return (await vscode.window.showErrorMessage(refusal, 'Run It as a Change …')) !== undefined
  }

  // write files the statement for approval: the person sees it as any other.
  private async write(folder: Folder, connection: string, statement: string): Promise<void> {
    const first = await folder.instance.tool('execute-sql', { connection, statement })
    const { planId, message } = (first.json ?? {}) as { planId?: string; message?: string }
    if (!first.failed) void vscode.window.showInformationMessage(first.text)
    else if (!planId) throw new Error(message ?? first.question?.message ?? first.text)
    else this.repeatOnceApproved(folder, planId, { connection, statement, plan_id: planId })
  }

  private repeatOnceApproved(folder: Folder, id: string, args: Record<string, unknown>): void {
    const watch = folder.onDidChange(({ plans }) => {
      const state = plans.find((p) => p.id === id)?.state
      if (state === undefined || state === 'pending') return
      watch.dispose()
      if (state !== 'approved') return
      folder.instance
        .tool('execute-sql', args)
        .then((reply) => void vscode.window.showInformationMessage(reply.text))
        .catch((cause: unknown) => report('run the statement', cause))
    })
  }
}
