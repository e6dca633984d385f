import * as vscode from 'vscode'
import { Approvals } from './approvals'
import { ApprovalsTree } from './approvalsTree'
import { ChangesTree } from './changesTree'
import { DatabaseTree, sqlOf, type Node, type TableNode } from './databaseTree'
import { Designer } from './designer'
import { FastEdits } from './fastEdits'
import { Folders } from './folders'
import { log, note, report } from './log'
import { provideServer } from './mcp'
import { installed, program } from './program'
import { openProject, ProjectsTree } from './projectsTree'
import { Queries } from './query'
import { showStatus } from './status'
import { Trust } from './trust'

// The extension: a window's folders are served while it has them open, and
// what they show and ask is shown here. No telemetry, nothing that polls.
export function activate(context: vscode.ExtensionContext): void {
  const [began, used] = [performance.now(), process.cpuUsage()]
  installed(context.extensionPath)
  const folders = new Folders()
  const designer = new Designer(folders, context.extensionUri)
  const queries = new Queries(folders, context.extensionUri)
  const trust = new Trust(folders)
  context.subscriptions.push(folders, new Approvals(folders), designer, queries, trust, new FastEdits(folders), showStatus(folders), log())
  context.subscriptions.push(...views(folders), ...commands(folders, designer, queries, trust))
  context.subscriptions.push(provideServer((context.extension.packageJSON as { version: string }).version))
  folders.follow()
  note({ event: 'activated', ms: performance.now() - began, cpu: process.cpuUsage(used).user / 1000, trusted: vscode.workspace.isTrusted })
}

function views(folders: Folders): vscode.Disposable[] {
  const database = new DatabaseTree(folders)
  const changes = new ChangesTree(folders)
  const projects = new ProjectsTree()
  const approvals = new ApprovalsTree(folders)
  const projectsView = vscode.window.createTreeView('berth.projects', { treeDataProvider: projects })
  const approvalsView = vscode.window.createTreeView('berth.approvals', { treeDataProvider: approvals })
  projects.watch(projectsView.visible)
  return [
    projectsView,
    approvalsView,
    approvals.badge(approvalsView),
    projects,
    projectsView.onDidChangeVisibility(({ visible }) => projects.watch(visible)),
    vscode.window.createTreeView('berth.database', { treeDataProvider: database, dragAndDropController: database, showCollapseAll: true }),
    vscode.window.createTreeView('berth.changes', { treeDataProvider: changes }),
    vscode.commands.registerCommand('berth.refresh', () => {
      database.refresh()
      changes.refresh()
    }),
  ]
}

function commands(folders: Folders, designer: Designer, queries: Queries, trust: Trust): vscode.Disposable[] {
  // What a command is given comes from the menu that it stands in, see package.json.
  const on = (name: string, doing: string, run: (on: never) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(name, async (node: never) => {
      try {
        await run(node)
      } catch (cause) {
        report(doing, cause)
      }
    })
  return [
    on('berth.showLog', 'show the log', () => log().show()),
    on('berth.start', 'serve the folder', () => folders.current?.restart()),
    on('berth.trust', 'allow it', () => trust.ask()),
    on('berth.copyName', 'copy the name', (node: Node) => vscode.env.clipboard.writeText(sqlOf(node))),
    on('berth.openProject', 'open the project', openProject),
    on('berth.openInBrowser', 'open the browser', async () => {
      const address = await folders.current?.signInAddress()
      if (address) await vscode.env.openExternal(vscode.Uri.parse(address))
    }),
    on('berth.openTable', 'open the table', ({ folder, connection, table }: TableNode) =>
      designer.open(folder, new URLSearchParams({ connection: connection.name, table: `${table.schema}.${table.name}` }).toString()),
    ),
    on('berth.topRows', 'show the rows', ({ folder, connection, table }: TableNode) => queries.sample(folder, connection.name, `${table.schema}.${table.name}`)),
    on('berth.configureClients', 'register berth', () => {
      const terminal = vscode.window.createTerminal({ name: 'Berth', ...(folders.current && { cwd: folders.current.workspace.uri }) })
      terminal.show()
      terminal.sendText(`"${program()}" init`)
    }),
  ]
}
