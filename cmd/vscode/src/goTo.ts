import { vscode } from './vscode'
import type { Designer } from './designer'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { namesOf } from './goToText'
import { note } from './log'
import type { Queries } from './query'
import { connections, tables, type Connection, type TableName } from './schema'

interface Found {
  folder: Folder
  connection: Connection
  table: TableName
}

interface Item extends vscode.QuickPickItem {
  found: Found
}

const rows: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('table'), tooltip: 'Show First Rows' }

// GoTo finds a table by its name, or by the word at the cursor of any program.
export class GoTo {
  constructor(
    private readonly folders: Folders,
    private readonly designer: Designer,
    private readonly queries: Queries,
  ) {}

  async any(): Promise<void> {
    this.pick(await this.all(), 'Go to which table?')
  }

  async atCursor(): Promise<void> {
    const editor = vscode.window.activeTextEditor
    const range = editor && (editor.selection.isEmpty ? editor.document.getWordRangeAtPosition(editor.selection.active) : editor.selection)
    const word = range ? editor.document.getText(range) : ''
    const names = namesOf(word)
    const found = (await this.all()).filter(({ table }) => names.has(table.name.toLowerCase()))
    const [only] = found
    note({ event: 'tableAtCursor', word, found: found.length })
    if (!only) void vscode.window.showInformationMessage(`No table is called ${word}, or nearly so.`)
    else if (found.length === 1) this.open(only)
    else this.pick(found, `Which ${word}?`)
  }

  // all are the tables of every connection that can be read.
  private async all(): Promise<Found[]> {
    const served = this.folders.all.filter((f) => f.state.kind === 'ready')
    const lists = served.map(async (folder) => {
      const own = (await connections(folder.instance)).map(async (connection) => {
        const list = await tables(folder.instance, connection.name).catch((): TableName[] => []) // its node in the tree says why
        return list.map((table) => ({ folder, connection, table }))
      })
      return (await Promise.all(own)).flat()
    })
    return (await Promise.all(lists)).flat()
  }

  private pick(found: Found[], title: string): void {
    const input = vscode.window.createQuickPick<Item>()
    input.title = title
    input.matchOnDescription = true
    input.items = found.map((f) => ({ label: f.table.name, description: `${f.table.schema} · ${f.connection.name} · ${f.folder.name}`, buttons: [rows], found: f }))
    input.onDidAccept(() => {
      const [item] = input.selectedItems
      input.hide()
      if (item) this.open(item.found)
    })
    input.onDidTriggerItemButton(({ item: { found: f } }) => {
      input.hide()
      void this.queries.sample(f.folder, f.connection.name, `${f.table.schema}.${f.table.name}`)
    })
    input.onDidHide(() => input.dispose())
    input.show()
  }

  private open({ folder, connection, table }: Found): void {
    this.designer.open(folder, new URLSearchParams({ connection: connection.name, table: `${table.schema}.${table.name}` }).toString())
  }
}
