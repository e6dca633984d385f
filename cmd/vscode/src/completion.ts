import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { quoted } from './quoted'
import { connections, tableInSQL, tablesWithColumns, type Connection, type NamedTable } from './schema'

interface Known {
  connection: Connection
  tables: NamedTable[]
}

// Completion offers the tables of a project's databases in SQL files, and the
// columns of those that the file names. What it has read is good until the
// design or the instance changes.
export class Completion implements vscode.CompletionItemProvider, vscode.Disposable {
  private readonly read = new Map<Folder, Promise<Known[]>>()
  private readonly subscriptions: vscode.Disposable[]

  constructor(private readonly folders: Folders) {
    this.subscriptions = [
      vscode.languages.registerCompletionItemProvider({ language: 'sql', scheme: 'file' }, this, '.'),
      vscode.languages.registerCompletionItemProvider({ language: 'sql', scheme: 'untitled' }, this, '.'),
      folders.onDidAdd((folder) => folder.onEvent(() => this.read.delete(folder))),
      folders.onDidChange((folder) => {
        if (folder && folder.state.kind !== 'ready') this.read.delete(folder)
      }),
    ]
  }

  dispose(): void {
    for (const s of this.subscriptions) s.dispose()
  }

  async provideCompletionItems(document: vscode.TextDocument): Promise<vscode.CompletionItem[]> {
    const folder = this.folders.current
    if (folder?.state.kind !== 'ready') return []
    const text = document.getText().toLowerCase()
    return (await this.known(folder)).flatMap(({ connection, tables }) => tables.flatMap((t) => itemsOf(connection, t, text)))
  }

  private known(folder: Folder): Promise<Known[]> {
    const before = this.read.get(folder)
    if (before) return before
    const now = readAll(folder)
    this.read.set(folder, now)
    return now
  }
}

async function readAll({ instance }: Folder): Promise<Known[]> {
  const own = (await connections(instance)).map(async (connection) => ({
    connection,
    tables: await tablesWithColumns(instance, connection.name).catch((): NamedTable[] => []), // its node in the tree says why
  }))
  return Promise.all(own)
}

function itemsOf(connection: Connection, table: NamedTable, text: string): vscode.CompletionItem[] {
  const { name, dialect } = connection
  const own = new vscode.CompletionItem({ label: table.name, description: `${table.schema} · ${name}` }, vscode.CompletionItemKind.Class)
  own.insertText = tableInSQL(connection, table)
  if (!text.includes(table.name.toLowerCase())) return [own]
  const columns = table.columns.map((column) => {
    const item = new vscode.CompletionItem({ label: column, description: table.name }, vscode.CompletionItemKind.Field)
    item.insertText = quoted(dialect, column)
    return item
  })
  return [own, ...columns]
}
