import { randomBytes } from 'node:crypto'
import { vscode } from './vscode'
import { Carrier } from './carrier'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note, report } from './log'
import { pageFor } from './page'

const viewType = 'berth.designer'

// What is kept of a tab over a reload of the window, beside what the page keeps.
interface Kept {
  berthRoot?: string
}

// Designer shows the page in an editor tab: one for each folder.
export class Designer implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>() // by the address of the folder
  private readonly subscriptions: vscode.Disposable[]

  constructor(
    private readonly folders: Folders,
    private readonly extension: vscode.Uri,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel: (panel, state) => this.restore(panel, state) }),
      vscode.commands.registerCommand('berth.openDesigner', () => this.openCurrent()),
      folders.onDidAdd((folder) =>
        folder.onEvent((event) => {
          const wanted = vscode.workspace.getConfiguration('berth').get<boolean>('openDesigner', true)
          if (event.type === 'shown' && event.origin === 'agent' && wanted && vscode.window.state.focused) this.open(folder)
        }),
      ),
    ]
  }

  dispose(): void {
    for (const s of this.subscriptions) s.dispose()
  }

  // open shows a folder's designer; address is what stands behind # in a browser.
  open(folder: Folder, address = ''): void {
    const shown = this.panels.get(folder.workspace.uri.toString())
    if (shown) {
      if (address) void this.fill(shown, folder, address)
      shown.reveal()
      return
    }
    const panel = vscode.window.createWebviewPanel(viewType, `Designer: ${folder.name}`, vscode.ViewColumn.Active, { retainContextWhenHidden: true })
    this.adopt(panel, folder, address)
  }

  private openCurrent(): void {
    const folder = this.folders.current
    if (folder) this.open(folder)
    else void vscode.window.showInformationMessage('Open a folder that you trust: Berth serves it, and its designer opens here.')
  }

  private restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const root = (state as Kept | undefined)?.berthRoot
    const folder = (root && this.folders.find(root)) || this.folders.current
    if (folder) this.adopt(panel, folder, '')
    else panel.dispose()
    return Promise.resolve()
  }

  private adopt(panel: vscode.WebviewPanel, folder: Folder, address: string): void {
    const key = folder.workspace.uri.toString()
    this.panels.set(key, panel)
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'icon.svg')
    panel.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, 'out', 'page'), vscode.Uri.joinPath(this.extension, 'media')] }
    const carrier = new Carrier(folder.instance, (message) => void panel.webview.postMessage(message))
    const hearing = panel.webview.onDidReceiveMessage((message: unknown) => void carrier.hear(message))
    panel.onDidDispose(() => {
      carrier.end()
      hearing.dispose()
      this.panels.delete(key)
    })
    void this.fill(panel, folder, address)
    note({ event: 'designer', root: folder.root })
  }

  private async fill(panel: vscode.WebviewPanel, folder: Folder, address: string): Promise<void> {
    try {
      const { webview } = panel
      const folderOf = (...names: string[]): vscode.Uri => vscode.Uri.joinPath(this.extension, ...names)
      const built = await vscode.workspace.fs.readFile(folderOf('out', 'page', 'index.html'))
      webview.html = pageFor({
        html: new TextDecoder().decode(built),
        base: `${webview.asWebviewUri(folderOf('out', 'page')).toString()}/`,
        theme: webview.asWebviewUri(folderOf('media', 'page.css')).toString(),
        source: webview.cspSource,
        nonce: randomBytes(16).toString('base64url'),
        root: folder.root,
        address,
      })
    } catch (cause) {
      report('show the designer', cause)
    }
  }
}
