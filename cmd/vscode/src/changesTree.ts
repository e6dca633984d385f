import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { changes, groupBy, wordsOf, type Change } from './schema'

// The tree of what the open designs propose: tables, and the changes of each.

type Node = { kind: 'design'; folder: Folder; connection: string; name: string } | { kind: 'table'; name: string; changes: Change[] } | { kind: 'change'; change: Change }

interface Designs {
  designs: { connection: string; name: string; sync: string }[] | null
}

export class ChangesTree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.changed.event

  constructor(private readonly folders: Folders) {
    folders.onDidAdd((folder) => folder.onEvent(() => this.changed.fire(undefined)))
    folders.onDidChange((folder) => {
      if (!folder || folder.state.kind !== 'ready') this.changed.fire(undefined)
    })
  }

  refresh(): void {
    this.changed.fire(undefined)
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const expanded = vscode.TreeItemCollapsibleState.Expanded
    if (node.kind === 'design') return new vscode.TreeItem(`${node.folder.name}: ${node.name}`, expanded)
    if (node.kind === 'table') {
      const item = new vscode.TreeItem(node.name, expanded)
      item.iconPath = new vscode.ThemeIcon('table')
      return item
    }
    const item = new vscode.TreeItem(wordsOf(node.change))
    item.iconPath = new vscode.ThemeIcon(/^(add|create)/.test(node.change.kind) ? 'diff-added' : node.change.kind.startsWith('drop') ? 'diff-removed' : 'diff-modified')
    return item
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return this.designs()
    if (node.kind === 'table') return node.changes.map((change) => ({ kind: 'change', change }))
    if (node.kind === 'change') return []
    const list = await changes(node.folder.instance, node.connection).catch(() => [])
    const byTable = groupBy(list, (c) => `${c.table.schema}.${c.table.name}`)
    return [...byTable].map(([name, own]) => ({ kind: 'table', name, changes: own }))
  }

  private async designs(): Promise<Node[]> {
    const lists = this.folders.all.map(async (folder): Promise<Node[]> => {
      if (folder.state.kind !== 'ready') return []
      const { designs } = await folder.instance.json<Designs>('/designs').catch((): Designs => ({ designs: [] }))
      const proposing = (designs ?? []).filter((d) => d.sync !== 'synced')
      return proposing.map((d) => ({ kind: 'design', folder, connection: d.connection, name: d.name }))
    })
    return (await Promise.all(lists)).flat()
  }
}
