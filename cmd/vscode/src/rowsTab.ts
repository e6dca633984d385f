import { randomBytes } from 'node:crypto'
import { vscode } from './vscode'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { gridPage, messagePage, type Reading, type Rows } from './grid'
import { note } from './log'

const viewType = 'berth.rows'

// RowsTab is the tab beside the editor that shows rows. A tab keeps what it
// reads, not the rows: when its window is reloaded, they are read again.
export class RowsTab implements vscode.Disposable {
  private panel: vscode.WebviewPanel | null = null
  private readonly serializer: vscode.Disposable

  constructor(
    private readonly folders: Folders,
    private readonly extension: vscode.Uri,
  ) {
    this.serializer = vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel: (panel, kept) => this.restore(panel, kept as Reading | undefined) })
  }

  dispose(): void {
    this.serializer.dispose()
    this.panel?.dispose()
  }

  async sample(folder: Folder, connection: string, table: string): Promise<void> {
    const reading = { root: folder.root, connection, table }
    this.show(reading, await read(folder, reading))
  }

  show(reading: Reading, rows: Rows): void {
    this.fill(this.panel ?? this.adopt(vscode.window.createWebviewPanel(viewType, 'Rows', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true })), reading, rows)
    this.panel?.reveal(undefined, true)
  }

  // restore fills a tab of before a reload. A tab of a folder that the window
  // no longer has, or a second one, is closed.
  private async restore(panel: vscode.WebviewPanel, reading?: Reading): Promise<void> {
    const folder = reading && !this.panel ? this.folders.find(reading.root) : undefined
    if (!reading || !folder) {
      panel.dispose()
      return
    }
    this.adopt(panel)
    panel.webview.html = messagePage('Reading the rows again …', reading)
    await folder.served()
    try {
      const rows = await read(folder, reading)
      if (this.panel === panel) this.fill(panel, reading, rows)
      note({ event: 'rowsRestored', count: rows.rows.length })
    } catch (cause) {
      if (this.panel === panel) panel.webview.html = messagePage(`The rows cannot be read again: ${cause instanceof Error ? cause.message : String(cause)}`, reading)
    }
  }

  private adopt(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    this.panel = panel
    panel.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, 'media')] }
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = null
    })
    return panel
  }

  private fill({ webview }: vscode.WebviewPanel, reading: Reading, rows: Rows): void {
    const limit = vscode.workspace.getConfiguration('berth').get('query.rows', 200)
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.extension, 'media', name)).toString()
    webview.html = gridPage({ reading, rows, limit, script: file('grid.js'), style: file('grid.css'), source: webview.cspSource, nonce: randomBytes(16).toString('base64url') })
  }
}

async function read(folder: Folder, { connection, ...what }: Reading): Promise<Rows> {
  const reply =
    'table' in what
      ? await folder.instance.tool('sample-table', { connection, table: what.table, rows: 50 })
      : await folder.instance.tool('run-query', { connection, query: what.query })
  if (reply.failed) throw new Error(reply.text)
  return reply.json as Rows
}
