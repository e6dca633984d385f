import { vscode } from './vscode'
import type { Folders } from './folders'
import { program } from './program'

// inTerminal runs a command of berth that asks the person questions.
export function inTerminal(folders: Folders, command: string): void {
  const terminal = vscode.window.createTerminal({ name: 'Berth', ...(folders.current && { cwd: folders.current.workspace.uri }) })
  terminal.show()
  terminal.sendText(`"${program()}" ${command}`)
}

// registerOthers registers berth with other agents. VS Code's own has the server
// from the extension: an entry in its file would list it twice.
export function registerOthers(folders: Folders): void {
  inTerminal(folders, 'init --without vscode')
}
