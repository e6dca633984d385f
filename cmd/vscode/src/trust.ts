import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note, report } from './log'
import { listOf, placeOf, within, type Ask } from './trustText'
import { visible, withoutLinks } from './planText'

// shownKey is where the editor keeps the digests of what was said, of all
// projects; the oldest of more than mostKept are forgotten.
const shownKey = 'berth.asksShown'
const mostKept = 500

// What a project's own files ask of the person. The editor's workspace trust
// answers none of it: each ask is said once, also after a reload and to other
// windows. One that changes has another digest, and is said again; so is one
// that was allowed and is taken back.
export class Trust implements vscode.Disposable {
  private readonly subscription: vscode.Disposable

  constructor(
    private readonly folders: Folders,
    private readonly memory: vscode.Memento,
  ) {
    this.subscription = folders.onDidAdd((folder) => this.follow(folder))
  }

  // ask shows the list of the current folder, and allows what a person chose.
  async ask(folder = this.folders.current): Promise<void> {
    if (!folder) return
    const asks = (await asksOf(folder)).filter((a) => !a.trusted)
    if (asks.length === 0) {
      void vscode.window.showInformationMessage(`Nothing in ${folder.name} waits for your trust.`)
      return
    }
    const allowed = await choose(folder.name, asks)
    if (allowed.length === 0) return
    await folder.instance.json('/trust', 'POST', { trust: allowed.map((a) => a.digest) })
    await this.keep(this.shown.filter((digest) => !allowed.some((a) => a.digest === digest)))
    note({ event: 'trusted', root: folder.root, count: allowed.length })
  }

  dispose(): void {
    this.subscription.dispose()
  }

  private follow(folder: Folder): void {
    let served = ''
    folder.onDidChange(({ state }) => {
      const run = state.kind === 'ready' ? `${state.ready.pid}` : ''
      if (run !== served && run) void this.tell(folder)
      served = run
    })
    folder.onNotice((notice) => {
      if (notice.type === 'trust') void this.tell(folder)
    })
  }

  private async tell(folder: Folder): Promise<void> {
    try {
      const asks = await asksOf(folder)
      const allowed = new Set(asks.filter((a) => a.trusted).map((a) => a.digest))
      const fresh = asks.filter((a) => !a.trusted && !this.shown.includes(a.digest))
      await this.keep([...this.shown.filter((digest) => !allowed.has(digest)), ...fresh.map((a) => a.digest)])
      const [first] = fresh
      if (!first) return
      note({ event: 'asks', root: folder.root, count: fresh.length })
      const what = fresh.length === 1 ? first.words : `${fresh.length} things need your trust`
      if ((await vscode.window.showInformationMessage(withoutLinks(`${folder.name}: ${visible(what)}`), 'Show', 'Not Now')) === 'Show') await this.ask(folder)
    } catch (cause) {
      report('read what the project asks', cause)
    }
  }

  private get shown(): string[] {
    return this.memory.get<string[]>(shownKey) ?? []
  }

  private async keep(shown: string[]): Promise<void> {
    if (shown.join() !== this.shown.join()) await this.memory.update(shownKey, shown.slice(-mostKept))
  }
}

async function asksOf(folder: Folder): Promise<Ask[]> {
  const { asks } = await folder.instance.json<{ asks: Ask[] | null }>('/trust')
  return (asks ?? []).map((a) => ({ ...a, file: within(folder.root, a.file) }))
}

// mostShown is how many asks a dialog shows whole on every screen.
const mostShown = 6

// choose shows the asks as a list with Allow. More than fit into a dialog, or
// some of them, are checked one by one.
async function choose(project: string, asks: Ask[]): Promise<Ask[]> {
  if (asks.length <= mostShown) {
    const [all, some] = ['Allow', 'Choose …']
    const picked = await vscode.window.showWarningMessage(`${project} asks for your trust`, { modal: true, detail: listOf(asks) }, ...(asks.length > 1 ? [all, some] : [all]))
    if (picked === all) return asks
    if (picked !== some) return []
  }
  const items = asks.map((ask) => ({ label: visible(ask.words), description: placeOf(ask), ...(ask.detail ? { detail: visible(ask.detail) } : {}), ask }))
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true, title: `${project} asks. OK allows what is checked`, ignoreFocusOut: true })
  return (picked ?? []).map((p) => p.ask)
}
