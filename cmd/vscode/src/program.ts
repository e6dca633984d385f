import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { vscode } from './vscode'

let home = '' // of the extension

// installed says where the extension's own files are.
export function installed(folder: string): void {
  home = folder
}

// program is the berth that this window runs: the one that the person named,
// the one that came with the extension, or the one in PATH.
export function program(): string {
  const named = vscode.workspace.getConfiguration('berth').get<string>('path', '')
  if (named) return named
  const own = join(home, 'bin', process.platform === 'win32' ? 'berth.exe' : 'berth')
  return existsSync(own) ? own : 'berth'
}
