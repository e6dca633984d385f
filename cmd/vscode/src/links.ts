import { vscode } from './vscode'
import type { TableNode } from './databaseTree'
import type { Designer } from './designer'
import type { Folders } from './folders'
import { addressIn, linkTo } from './linkText'
import { note } from './log'
import { visible } from './planText'

// Links into the designer, by the editor's own scheme. A link shows something;
// it decides nothing and changes nothing.
export class Links implements vscode.UriHandler, vscode.Disposable {
  private readonly registration = vscode.window.registerUriHandler(this)

  constructor(
    private readonly folders: Folders,
    private readonly designer: Designer,
    private readonly id: string, // of the extension
  ) {}

  dispose(): void {
    this.registration.dispose()
  }

  // copy puts a link to a table into the clipboard. In a browser-hosted editor it
  // is an address of the editor's page, which the editor makes for one use; its
  // parts are encoded already.
  async copy({ folder, connection, table }: TableNode): Promise<void> {
    const own = linkTo(vscode.env.uriScheme, this.id, { root: folder.root, connection: connection.name, table: `${table.schema}.${table.name}` })
    const link = vscode.env.uiKind === vscode.UIKind.Web ? (await vscode.env.asExternalUri(vscode.Uri.parse(own, true))).toString(true) : own
    note({ event: 'link', link })
    await vscode.env.clipboard.writeText(link)
  }

  async handleUri(uri: vscode.Uri): Promise<void> {
    const target = addressIn(uri.path, uri.query)
    const folder = target && this.folders.find(target.root)
    note({ event: 'linkOpened', ...target, here: folder !== undefined && folder !== null })
    if (folder) this.designer.open(folder, target.address)
    else if (!target) void vscode.window.showWarningMessage('Berth does not know this link.')
    else if ((await vscode.window.showInformationMessage(`The link is about ${visible(target.root)}, which this window does not have open.`, 'Open in a Window')) !== undefined) {
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(target.root), { forceNewWindow: true })
    }
  }
}
