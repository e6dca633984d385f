import { vscode } from './vscode'
import type { Plan } from './attachment'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { oneLine } from './planText'

interface Node {
  folder: Folder
  plan: Plan
}

// The plans that wait in this window's folders, with a badge on the view.
export class ApprovalsTree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.changed.event

  constructor(private readonly folders: Folders) {
    folders.onDidChange(() => this.changed.fire(undefined))
  }

  getTreeItem({ folder, plan }: Node): vscode.TreeItem {
    const item = new vscode.TreeItem(oneLine(folder.name, plan))
    item.iconPath = new vscode.ThemeIcon(plan.kind === 'file' ? 'file-code' : 'database')
    item.command = { command: 'berth.showPlan', title: 'Show Changes', arguments: [plan.id] }
    return item
  }

  getChildren(node?: Node): Node[] {
    return node ? [] : this.waiting()
  }

  // badge shows how many there are on a view.
  badge(view: vscode.TreeView<Node>): vscode.Disposable {
    const show = (): void => {
      const { length } = this.waiting()
      view.badge = length > 0 ? { value: length, tooltip: `${length} waiting for your approval` } : undefined
    }
    show()
    return this.folders.onDidChange(show)
  }

  private waiting(): Node[] {
    return this.folders.all.flatMap((folder) => folder.pending.map((plan) => ({ folder, plan })))
  }
}
