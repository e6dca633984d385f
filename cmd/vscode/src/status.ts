import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note } from './log'
import { syncWords } from './syncWords'

// The status bar: the folder's project, its port, how its design stands, and
// how many plans wait.
export function showStatus(folders: Folders): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('berth.status', vscode.StatusBarAlignment.Left, 10)
  item.name = 'Berth'
  let last = ''
  const show = (): void => {
    const folder = folders.current
    if (!folder) {
      item.hide()
      return
    }
    const { text, tooltip, command, bad } = wordsOf(folder)
    item.text = text
    item.tooltip = tooltip
    item.command = command
    item.backgroundColor = bad ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
    item.show()
    if (text !== last) note({ event: 'status', text })
    last = text
  }
  show()
  return vscode.Disposable.from(item, folders.onDidChange(show), vscode.window.onDidChangeActiveTextEditor(show))
}

interface Words {
  text: string
  tooltip: string
  command: string
  bad?: boolean
}

function wordsOf(folder: Folder): Words {
  const { state, name } = folder
  switch (state.kind) {
    case 'ready': {
      const waiting = folder.pending.length
      const sync = folder.sync && folder.sync !== 'synced' ? ` · ${syncWords(folder.sync)}` : ''
      return {
        text: `$(type-hierarchy) ${name}:${state.ready.port}${sync}${waiting > 0 ? ` $(bell-dot) ${waiting}` : ''}`,
        tooltip: `Berth serves ${state.ready.projectRoot} on port ${state.ready.port}${folder.sync ? `; the design is: ${syncWords(folder.sync)}` : ''}. ${waiting > 0 ? `${waiting} waiting for you.` : 'Show who is connected, and what to do.'}`,
        command: waiting > 0 ? 'berth.showApprovals' : 'berth.showStatus',
        bad: waiting > 0,
      }
    }
    case 'stopped':
      return { text: `$(debug-stop) ${name}: stopped`, tooltip: 'The project was stopped. Serve it again.', command: 'berth.start' }
    case 'failed':
      return { text: `$(warning) ${name}: not served`, tooltip: `${state.error}\n${state.hint}\nTry again.`, command: 'berth.start', bad: true }
    default:
      return { text: `$(sync~spin) ${name}`, tooltip: 'Berth is starting', command: 'berth.showLog' }
  }
}
