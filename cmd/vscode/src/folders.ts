import { vscode } from './vscode'
import { Folder } from './folder'
import { note } from './log'

// Folders are the folders of this window that are served: those of a trusted
// workspace, on the machine where the extension runs, unless a setting says no.
export class Folders implements vscode.Disposable {
  private readonly open = new Map<string, Folder>()
  private readonly changed = new vscode.EventEmitter<Folder | null>()
  private readonly added = new vscode.EventEmitter<Folder>()
  readonly onDidChange = this.changed.event // one of them, or which there are
  readonly onDidAdd = this.added.event
  private readonly subscriptions: vscode.Disposable[]

  constructor() {
    this.subscriptions = [
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.follow()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.follow()),
      vscode.workspace.onDidChangeConfiguration((e) => {
        if (e.affectsConfiguration('berth') || e.affectsConfiguration('Devdb')) this.follow()
      }),
    ]
  }

  get all(): Folder[] {
    return [...this.open.values()]
  }

  // current is the folder of the active editor, else the first.
  get current(): Folder | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri
    const own = uri && vscode.workspace.getWorkspaceFolder(uri)
    return (own && this.open.get(own.uri.toString())) ?? this.all[0]
  }

  find(root: string): Folder | undefined {
    return this.all.find((f) => f.root === root || f.workspace.uri.fsPath === root)
  }

  // follow opens and closes folders as the window has them now.
  follow(): void {
    const wanted = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []).filter(isServed) : []
    const names = new Set(wanted.map((w) => w.uri.toString()))
    for (const [name, folder] of this.open) {
      if (names.has(name)) continue
      this.open.delete(name)
      folder.dispose()
    }
    for (const workspace of wanted) {
      if (!this.open.has(workspace.uri.toString())) this.add(workspace)
    }
    note({ event: 'served', roots: wanted.map((w) => w.uri.fsPath) })
    this.changed.fire(null)
  }

  dispose(): void {
    for (const s of this.subscriptions) s.dispose()
    for (const folder of this.open.values()) folder.dispose()
    this.open.clear()
  }

  private add(workspace: vscode.WorkspaceFolder): void {
    const folder = new Folder(workspace)
    this.open.set(workspace.uri.toString(), folder)
    folder.onDidChange((f) => this.changed.fire(f))
    this.added.fire(folder)
  }
}

function isServed({ uri }: vscode.WorkspaceFolder): boolean {
  const setting = (section: string, name: string): boolean => vscode.workspace.getConfiguration(section, uri).get(name, true)
  return uri.scheme === 'file' && setting('berth', 'serve') && setting('Devdb', 'enableMcpServer')
}
