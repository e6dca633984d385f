import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { quoted } from './quoted'
import { connections, groupBy, matching, table, tableInSQL, tables, typeOf, type Connection, type TableName } from './schema'

// The tree of databases: folders (where there are several), connections,
// schemas (likewise), tables, and what a table has. Each level is read when it
// is opened.

export type Node =
  | { kind: 'folder'; folder: Folder }
  | { kind: 'connection'; folder: Folder; connection: Connection; opened: boolean }
  | { kind: 'schema'; folder: Folder; connection: Connection; name: string; tables: TableName[] }
  | TableNode
  | { kind: 'column' | 'key' | 'index'; name: string; text: string; sql: string }
  | { kind: 'problem'; text: string }

export interface TableNode {
  kind: 'table'
  folder: Folder
  connection: Connection
  table: TableName
}

const icons = { folder: 'root-folder', connection: 'database', schema: 'symbol-namespace', table: 'table', column: 'symbol-field', key: 'key', index: 'list-tree', problem: 'warning' }

// mostOpened is up to how many connections of a folder are opened at first: each
// that is opened is asked for its tables.
const mostOpened = 10

export class DatabaseTree implements vscode.TreeDataProvider<Node>, vscode.TreeDragAndDropController<Node> {
  private readonly changed = new vscode.EventEmitter<Node | undefined>()
  readonly onDidChangeTreeData = this.changed.event
  readonly dragMimeTypes = ['text/plain']
  readonly dropMimeTypes: string[] = []
  private standing = ''
  private wanted = '' // part of the tables' names

  constructor(private readonly folders: Folders) {
    folders.onDidChange(() => {
      const now = folders.all.map((f) => `${f.root} ${f.state.kind === 'ready' ? f.state.ready.pid : ''}`).join()
      if (now !== this.standing) this.refresh()
      this.standing = now
    })
    folders.onDidAdd((folder) =>
      folder.onEvent((event) => {
        if (event.type !== 'shown') this.refresh()
      }),
    )
  }

  refresh(): void {
    this.changed.fire(undefined)
  }

  get filter(): string {
    return this.wanted
  }

  // filterBy shows only tables that have a text in their names; '': all.
  filterBy(text: string): void {
    this.wanted = text.trim()
    this.refresh()
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { label, description } = wordsOf(node)
    const item = new vscode.TreeItem(label, stateOf(node))
    item.description = description
    item.contextValue = node.kind
    item.iconPath = new vscode.ThemeIcon(icons[node.kind])
    return item
  }

  async getChildren(node?: Node): Promise<Node[]> {
    try {
      return await this.read(node)
    } catch (cause) {
      return [{ kind: 'problem', text: cause instanceof Error ? cause.message : String(cause) }]
    }
  }

  handleDrag(nodes: readonly Node[], data: vscode.DataTransfer): void {
    data.set('text/plain', new vscode.DataTransferItem(nodes.map(sqlOf).filter(Boolean).join(', ')))
  }

  private async read(node?: Node): Promise<Node[]> {
    if (!node) {
      const served = this.folders.all.filter((f) => f.state.kind === 'ready')
      const [only] = served
      return served.length === 1 && only ? this.connectionsOf(only) : served.map((folder) => ({ kind: 'folder', folder }))
    }
    if (node.kind === 'folder') return this.connectionsOf(node.folder)
    if (node.kind === 'connection') return this.tablesOf(node.folder, node.connection)
    if (node.kind === 'schema') return node.tables.map((t) => ({ kind: 'table', folder: node.folder, connection: node.connection, table: t }))
    return node.kind === 'table' ? this.partsOf(node) : []
  }

  private async connectionsOf(folder: Folder): Promise<Node[]> {
    const list = await connections(folder.instance)
    return list.map((connection) => ({ kind: 'connection', folder, connection, opened: list.length <= mostOpened }))
  }

  private async tablesOf(folder: Folder, connection: Connection): Promise<Node[]> {
    const list = matching(await tables(folder.instance, connection.name), this.wanted)
    const bySchema = groupBy(list, (t) => t.schema)
    if (bySchema.size > 1) return [...bySchema].map(([name, own]) => ({ kind: 'schema', folder, connection, name, tables: own }))
    return list.map((t) => ({ kind: 'table', folder, connection, table: t }))
  }

  private async partsOf({ folder, connection, table: name }: TableNode): Promise<Node[]> {
    const t = await table(folder.instance, connection.name, name)
    const sql = (text: string): string => quoted(connection.dialect, text)
    return [
      ...t.columns.map((c): Node => ({ kind: 'column', name: c.name, text: typeOf(c), sql: sql(c.name) })),
      ...(t.foreignKeys ?? []).map((k): Node => {
        const own = k.mappings.map((m) => m.column).join(', ')
        return { kind: 'key', name: k.name ?? own, text: `${own} → ${k.referencedTable.name}(${k.mappings.map((m) => m.referencedColumn).join(', ')})`, sql: sql(k.name ?? own) }
      }),
      ...(t.indexes ?? []).map((i): Node => ({ kind: 'index', name: i.name, text: `${i.unique ? 'unique ' : ''}(${i.columns.map((c) => c.name ?? c.expression ?? '').join(', ')})`, sql: sql(i.name) })),
    ]
  }
}

function stateOf(node: Node): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState
  if (node.kind === 'folder' || (node.kind === 'connection' && node.opened)) return Expanded
  return node.kind === 'connection' || node.kind === 'schema' || node.kind === 'table' ? Collapsed : None
}

function wordsOf(node: Node): { label: string; description: string } {
  switch (node.kind) {
    case 'folder':
      return { label: node.folder.name, description: '' }
    case 'connection':
      return { label: node.connection.name, description: node.connection.dialect }
    case 'schema':
      return { label: node.name, description: `${node.tables.length} tables` }
    case 'table':
      return { label: node.table.name, description: '' }
    case 'problem':
      return { label: node.text, description: '' }
    default:
      return { label: node.name, description: node.text }
  }
}

// sqlOf is a node as it is dropped into SQL or copied.
export function sqlOf(node: Node): string {
  if (node.kind === 'table') return tableInSQL(node.connection, node.table)
  return 'sql' in node ? node.sql : ''
}
