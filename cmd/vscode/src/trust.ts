import * as vscode from 'vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note, report } from './log'

interface Ask {
  digest: string
  words: string
  detail?: string
  file: string
  line: number
  trusted: boolean
}

// What a project's own files ask of the person. The editor's workspace trust
// answers none of it: a list is shown once for each set of asks.
export class Trust implements vscode.Disposable {
  private readonly subscription: vscode.Disposable
  private readonly shown = new Set<string>()

  constructor(private readonly folders: Folders) {
    this.subscription = folders.onDidAdd((folder) => this.follow(folder))
  }

  // ask shows the list of the current folder and allows what is picked.
  async ask(folder = this.folders.current): Promise<void> {
    if (!folder) return
    const asks = await this.open(folder)
    if (asks.length === 0) {
      void vscode.window.showInformationMessage(`Nothing in ${folder.name} waits for your trust.`)
      return
    }
    const items = asks.map((ask) => ({ label: ask.words, description: `${ask.file}:${ask.line}`, ...(ask.detail ? { detail: ask.detail } : {}), digest: ask.digest, picked: true }))
    const picked = await vscode.window.showQuickPick(items, { canPickMany: true, title: `${folder.name} asks. OK allows what is checked`, ignoreFocusOut: true })
    if (!picked || picked.length === 0) return
    await folder.instance.json('/trust', 'POST', { trust: picked.map((p) => p.digest) })
    note({ event: 'trusted', root: folder.root, count: picked.length })
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
      const asks = await this.open(folder)
      const set = asks.map((a) => a.digest).sort().join()
      if (asks.length === 0 || this.shown.has(set)) return
      this.shown.add(set)
      note({ event: 'asks', root: folder.root, count: asks.length })
      const what = asks.length === 1 ? asks[0]?.words : `${asks.length} things need your trust`
      if ((await vscode.window.showInformationMessage(`${folder.name}: ${what}`, 'Show', 'Not Now')) === 'Show') await this.ask(folder)
    } catch (cause) {
      report('read what the project asks', cause)
    }
  }

  private async open(folder: Folder): Promise<Ask[]> {
    const { asks } = await folder.instance.json<{ asks: Ask[] | null }>('/trust')
    return (asks ?? []).filter((a) => !a.trusted)
  }
}
