import { vscode } from './vscode'
import { Approvals } from './approvals'
import { ApprovalsTree } from './approvalsTree'
import { ChangesTree } from './changesTree'
import { Completion } from './completion'
import { DatabaseTree, sqlOf, type Node, type TableNode } from './databaseTree'
import { Designer } from './designer'
import { FastEdits } from './fastEdits'
import { Folders } from './folders'
import { GoTo } from './goTo'
import { Links } from './links'
import { log, note, report } from './log'
import { provideServer } from './mcp'
import { installed } from './program'
import { showOverview } from './overview'
import { openProject, ProjectsTree } from './projectsTree'
import { Queries } from './query'
import { showStatus } from './status'
import { inTerminal, registerOthers } from './terminal'
import { Trust } from './trust'

// The extension: a window's folders are served while it has them open, and
// what they show and ask is shown here. No telemetry, nothing that polls.
// began is when this file began to be read, for what that costs.
export function start(context: vscode.ExtensionContext, began: { at: number; used: NodeJS.CpuUsage }): void {
  installed(context.extensionPath)
  const folders = new Folders()
  const designer = new Designer(folders, context.extensionUri)
  const queries = new Queries(folders, context.extensionUri, context.workspaceState)
  const trust = new Trust(folders, context.globalState)
  context.subscriptions.push(folders, new Approvals(folders), designer, queries, trust, new FastEdits(folders), new Completion(folders), showStatus(folders), log())
  context.subscriptions.push(...views(folders), ...commands(folders, designer, queries, trust))
  const links = new Links(folders, designer, context.extension.id)
  context.subscriptions.push(links, vscode.commands.registerCommand('berth.copyLink', (node: TableNode) => links.copy(node)))
  context.subscriptions.push(provideServer((context.extension.packageJSON as { version: string }).version))
  folders.follow()
  note({ event: 'activated', ms: performance.now() - began.at, cpu: process.cpuUsage(began.used).user / 1000, trusted: vscode.workspace.isTrusted })
}

function views(folders: Folders): vscode.Disposable[] {
  const database = new DatabaseTree(folders)
  const changes = new ChangesTree(folders)
  const projects = new ProjectsTree()
  const approvals = new ApprovalsTree(folders)
  const projectsView = vscode.window.createTreeView('berth.projects', { treeDataProvider: projects })
  const approvalsView = vscode.window.createTreeView('berth.approvals', { treeDataProvider: approvals })
  projects.watch(projectsView.visible)
  const databaseView = vscode.window.createTreeView('berth.database', { treeDataProvider: database, dragAndDropController: database, showCollapseAll: true })
  const filter = (text: string): void => {
    database.filterBy(text)
    if (database.filter) databaseView.message = `Tables with “${database.filter}” in their names`
    else databaseView.message = ''
    void vscode.commands.executeCommand('setContext', 'berth.filtered', database.filter !== '')
  }
  return [
    projectsView,
    approvalsView,
    approvals.badge(approvalsView),
    projects,
    projectsView.onDidChangeVisibility(({ visible }) => projects.watch(visible)),
    databaseView,
    vscode.commands.registerCommand('berth.filterTables', async () => {
      const text = await vscode.window.showInputBox({ title: 'Show tables with this in their names', value: database.filter, placeHolder: 'empty: all tables' })
      if (text !== undefined) filter(text)
    }),
    vscode.commands.registerCommand('berth.clearFilter', () => filter('')),
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
  const goTo = new GoTo(folders, designer, queries)
  return [
    on('berth.showLog', 'show the log', () => log().show()),
    on('berth.start', 'serve the folder', () => folders.current?.restart()),
    on('berth.trust', 'allow it', () => trust.ask()),
    on('berth.showStatus', 'say how the project stands', () => folders.current && showOverview(folders.current)),
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
    on('berth.goToTable', 'find the table', () => goTo.any()),
    on('berth.tableAtCursor', 'find the table', () => goTo.atCursor()),
    on('berth.configureClients', 'register berth', () => registerOthers(folders)),
    on('berth.connect', 'connect a database', () => inTerminal(folders, 'connect')),
  ]
}
