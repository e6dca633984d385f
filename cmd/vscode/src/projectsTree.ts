import { spawn, type ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import { vscode } from './vscode'
import { Lines } from './lines'
import { program } from './program'
import { syncWords } from './syncWords'

// The projects that are served on this machine, of all windows, as `berth ls
// --watch --json` says it. It runs while the view is seen. No key of another
// project comes here.

interface Project {
  projectRoot: string
  port: number
  state: string
  syncState: string | null
  approvals: number | null
  leases: { name: string }[] | null
}

export class ProjectsTree implements vscode.TreeDataProvider<Project>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.changed.event
  private list: Project[] = []
  private child: ChildProcess | null = null

  // watch follows the list while the view is seen.
  watch(seen: boolean): void {
    if (!seen) this.dispose()
    else if (!this.child && vscode.workspace.isTrusted) this.start()
  }

  dispose(): void {
    this.child?.kill()
    this.child = null
  }

  getTreeItem(p: Project): vscode.TreeItem {
    const item = new vscode.TreeItem(basename(p.projectRoot))
    const words = [p.state === 'live' ? `:${p.port}` : p.state]
    if (p.syncState && p.syncState !== 'synced') words.push(syncWords(p.syncState))
    if (p.approvals) words.push(`${p.approvals} waiting`)
    item.description = words.join(' · ')
    item.tooltip = [p.projectRoot, ...(p.leases ?? []).map((l) => `held by ${l.name}`)].join('\n')
    item.contextValue = 'project'
    item.iconPath = new vscode.ThemeIcon(p.approvals ? 'bell-dot' : p.state === 'live' ? 'circle-filled' : 'circle-outline')
    return item
  }

  getChildren(p?: Project): Project[] {
    return p ? [] : this.list
  }

  private start(): void {
    const child = spawn(program(), ['ls', '--watch', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] })
    this.child = child
    const lines = new Lines((list) => {
      this.list = list as unknown as Project[]
      this.changed.fire(undefined)
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => lines.feed(text))
    child.on('error', () => undefined) // the status bar says that there is no berth
    child.on('close', () => {
      if (this.child === child) this.child = null
    })
  }
}

// openProject opens a project in a window of its own.
export async function openProject(p: Project): Promise<void> {
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(p.projectRoot), { forceNewWindow: true })
}
