import type { vscode } from './vscode'

// What the editor reads and runs while it opens a window. The rest is a file of
// its own that is read in a later turn of the extension host, where other
// extensions' come between. The editor waits for it before it runs a command,
// restores a tab or opens a link.
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  const began = { at: performance.now(), used: process.cpuUsage() }
  const { start } = await import('./main')
  start(context, began)
}
