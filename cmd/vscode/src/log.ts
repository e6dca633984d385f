import { appendFileSync } from 'node:fs'
import { vscode } from './vscode'

let channel: vscode.LogOutputChannel | undefined

export function log(): vscode.LogOutputChannel {
  channel ??= vscode.window.createOutputChannel('Berth', { log: true })
  return channel
}

// note keeps what happens: in the log, and for tests that drive an editor as
// lines of JSON in a file. Nothing of it leaves the machine, and no secret is in it.
export function note(what: { event: string } & Record<string, unknown>): void {
  log().debug(JSON.stringify(what))
  const file = process.env['BERTH_VSCODE_LOG']
  if (file) appendFileSync(file, `${JSON.stringify({ at: Date.now(), host: process.pid, ...what })}\n`)
}

// report shows a person why something was not done.
export function report(doing: string, cause: unknown): void {
  const why = cause instanceof Error ? cause.message : String(cause)
  log().error(`${doing}: ${why}`)
  void vscode.window.showErrorMessage(`Berth could not ${doing}: ${why}`)
}
