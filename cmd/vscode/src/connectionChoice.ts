import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note, report } from './log'
import { connections, type Connection } from './schema'

// chosenKey is where the editor keeps what was chosen in a window's workspace,
// of so many documents: those that ran last.
const chosenKey = 'berth.connectionOf'
export const mostKept = 200

// ConnectionChoice is on which connection a SQL document runs. It is asked for
// once, also over a reload; the status bar says it, and a command changes it.
export class ConnectionChoice implements vscode.Disposable {
  private readonly chosen: Map<string, string> // a connection's name, by document
  private readonly last = new Map<string, string>() // where a new document begins, by folder
  private readonly item = vscode.window.createStatusBarItem('berth.connection', vscode.StatusBarAlignment.Right, 100)
  private readonly subscriptions: vscode.Disposable

  constructor(
    private readonly folders: Folders,
    private readonly memory: vscode.Memento,
  ) {
    this.chosen = new Map(memory.get<[string, string][]>(chosenKey))
    this.item.name = 'Berth: Connection'
    this.item.tooltip = 'The connection that this file’s queries run on. Run them on another.'
    this.item.command = 'berth.changeConnection'
    this.subscriptions = vscode.Disposable.from(
      this.item,
      vscode.commands.registerCommand('berth.changeConnection', () => this.change()),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
    )
    this.show()
  }

  dispose(): void {
    this.subscriptions.dispose()
  }

  // of is the connection of a document; where none was chosen and there are
  // several, the person is asked. undefined: they chose none.
  async of(folder: Folder, document: vscode.Uri): Promise<Connection | undefined> {
    const known = await connections(folder.instance)
    const name = this.chosen.get(document.toString()) ?? this.last.get(folder.root)
    const before = known.length === 1 ? known[0] : known.find((c) => c.name === name)
    if (before) this.keep(folder, document, before)
    return before ?? this.ask(folder, document, known)
  }

  private async change(): Promise<void> {
    const folder = this.folders.current
    const document = vscode.window.activeTextEditor?.document
    if (!folder || document?.languageId !== 'sql') return
    try {
      await this.ask(folder, document.uri, await connections(folder.instance))
    } catch (cause) {
      report('change the connection', cause)
    }
  }

  private async ask(folder: Folder, document: vscode.Uri, known: Connection[]): Promise<Connection | undefined> {
    const now = this.chosen.get(document.toString())
    const items = known.map((c) => ({ label: c.name, description: c.name === now ? `${c.dialect}, as now` : c.dialect, connection: c }))
    const picked = await vscode.window.showQuickPick(items, { title: 'Run on which connection?', matchOnDescription: true })
    if (picked) this.keep(folder, document, picked.connection)
    return picked?.connection
  }

  private keep(folder: Folder, document: vscode.Uri, { name }: Connection): void {
    const key = document.toString()
    const before = this.chosen.get(key)
    this.chosen.delete(key)
    this.chosen.set(key, name) // as the last
    void this.memory.update(chosenKey, [...this.chosen].slice(-mostKept))
    if (before === name) return
    this.last.set(folder.root, name)
    note({ event: 'connectionChosen', root: folder.root, name })
    this.show()
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document
    const name = document?.languageId === 'sql' ? this.chosen.get(document.uri.toString()) : undefined
    this.item.text = `$(database) ${name ?? ''}`
    if (name) this.item.show()
    else this.item.hide()
  }
}
