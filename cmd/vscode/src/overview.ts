import { vscode } from './vscode'
import type { Folder } from './folder'
import { syncWords } from './syncWords'

interface Status {
  leases?: { name: string; since: string }[]
  pages?: number
  idleEnd?: string
}

interface Item extends vscode.QuickPickItem {
  command?: string
}

// showOverview lists what a folder's instance is doing, read now, with what can
// be done about it: the status bar opens it.
export async function showOverview(folder: Folder): Promise<void> {
  if (folder.state.kind !== 'ready') {
    await vscode.commands.executeCommand(folder.state.kind === 'starting' ? 'berth.showLog' : 'berth.start')
    return
  }
  const { port, projectRoot, version } = folder.state.ready
  const status = await folder.instance.json<Status>('/status')
  const picked = await vscode.window.showQuickPick(itemsOf(status, folder.pending.length), {
    title: `${folder.name}: ${projectRoot} on port ${port}, ${syncWords(folder.sync) || 'no design is open'}, berth ${version}`,
    placeHolder: 'What to do',
  })
  if (picked?.command) await vscode.commands.executeCommand(picked.command)
}

export function itemsOf({ leases = [], pages = 0, idleEnd }: Status, waiting: number): Item[] {
  const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator })
  const connected: Item[] = leases.map(({ name, since }) => ({ label: `$(window) ${name}`, description: `since ${new Date(since).toLocaleTimeString()}` }))
  if (pages > 0) connected.push({ label: `$(globe) ${pages === 1 ? 'one page' : `${pages} pages`} in a browser` })
  return [
    { label: '$(type-hierarchy) Open Designer', command: 'berth.openDesigner' },
    { label: '$(globe) Open Designer in the Browser', command: 'berth.openInBrowser' },
    { label: '$(bell) Show What Waits for Approval', description: `${waiting}`, command: 'berth.showApprovals' },
    { label: '$(shield) Allow What the Project Asks', command: 'berth.trust' },
    { label: '$(output) Show Log', command: 'berth.showLog' },
    heading('connected'),
    ...connected,
    ...(idleEnd ? [{ label: `$(watch) It ends ${idleEnd.replace('m0s', ' minutes')} after the last of them`, description: 'and the last call' }] : []),
  ]
}
