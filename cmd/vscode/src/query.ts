import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { gridPage, type Rows } from './grid'
import { note, report } from './log'
import { connections, explaining, type Connection } from './schema'

// Queries runs the selection of a SQL file and shows the rows in a grid beside
// it. It reads only; what writes goes through an approval.
export class Queries implements vscode.Disposable {
  private readonly chosen = new Map<string, string>() // a connection, by folder
  private panel: vscode.WebviewPanel | null = null
  private readonly commands = vscode.Disposable.from(
    vscode.commands.registerCommand('berth.runQuery', () => this.run((_, query) => query)),
    vscode.commands.registerCommand('berth.explainQuery', () => this.run(explaining)),
  )

  constructor(
    private readonly folders: Folders,
    private readonly extension: vscode.Uri,
  ) {}

  dispose(): void {
    this.commands.dispose()
    this.panel?.dispose()
  }

  // run runs what is selected, or what a dialect makes of it.
  private async run(made: (dialect: string, query: string) => string | null): Promise<void> {
    const editor = vscode.window.activeTextEditor
    const folder = this.folders.current
    if (!editor || !folder) return
    const query = (editor.selection.isEmpty ? editor.document.getText() : editor.document.getText(editor.selection)).trim()
    try {
      const connection = query ? await this.connectionOf(folder) : undefined
      if (!connection) return
      const statement = made(connection.dialect, query)
      if (statement === null) void vscode.window.showInformationMessage('SQL Server explains a query only by a setting of the session, which would stay on: berth does not set it.')
      else await this.show(folder, connection.name, statement)
    } catch (cause) {
      report('run the query', cause)
    }
  }

  // sample shows the first rows of a table.
  async sample(folder: Folder, connection: string, table: string): Promise<void> {
    const reply = await folder.instance.tool('sample-table', { connection, table, rows: 50 })
    if (reply.failed) throw new Error(reply.text)
    this.fill(`First rows of ${table}`, reply.json as Rows)
  }

  private async show(folder: Folder, connection: string, query: string): Promise<void> {
    const reply = await folder.instance.tool('run-query', { connection, query })
    if (!reply.failed) {
      const rows = reply.json as Rows
      note({ event: 'rows', count: rows.rows.length })
      this.fill(`${connection}: ${query}`, rows)
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

  private async connectionOf(folder: Folder): Promise<Connection | undefined> {
    const known = await connections(folder.instance)
    const before = known.find((c) => c.name === this.chosen.get(folder.root))
    if (known.length === 1 || before) return before ?? known[0]
    const picked = await vscode.window.showQuickPick(known.map((c) => ({ label: c.name, description: c.dialect, connection: c })), { title: 'Run on which connection?' })
    if (picked) this.chosen.set(folder.root, picked.label)
    return picked?.connection
  }

  private fill(title: string, rows: Rows): void {
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel('berth.rows', 'Rows', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, 'media')] })
      this.panel.onDidDispose(() => (this.panel = null))
    }
    const { webview } = this.panel
    const limit = vscode.workspace.getConfiguration('berth').get('query.rows', 200)
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.extension, 'media', name)).toString()
    webview.html = gridPage({ title, rows, limit, script: file('grid.js'), style: file('grid.css'), source: webview.cspSource, nonce: randomBytes(16).toString('base64url') })
    this.panel.reveal(undefined, true)
  }
}
