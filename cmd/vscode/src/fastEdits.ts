import * as vscode from 'vscode'
import type { Folders } from './folders'
import { note } from './log'

// In fast mode an agent's edits are made without asking. Each is said, once for
// those that come together, with a way to look at it.
export class FastEdits implements vscode.Disposable {
  private readonly subscription: vscode.Disposable

  constructor(folders: Folders) {
    this.subscription = folders.onDidAdd((folder) => {
      folder.onNotice((notice) => {
        if (notice.type !== 'file_edited' || !notice.path) return
        if (folder.plans.some((p) => p.state !== 'pending' && p.files?.some((f) => f.path === notice.path))) return // a person has just approved it
        note({ event: 'fastEdit', path: notice.path })
        void this.tell(vscode.Uri.joinPath(folder.workspace.uri, notice.path), notice.path, notice.additions ?? 0, notice.deletions ?? 0)
      })
    })
  }

  dispose(): void {
    this.subscription.dispose()
  }

  private async tell(uri: vscode.Uri, path: string, added: number, removed: number): Promise<void> {
    const choice = await vscode.window.showInformationMessage(`AI edited ${path} (+${added} −${removed})`, 'Open', 'Show Changes')
    if (choice === 'Open') await vscode.window.showTextDocument(uri)
    else if (choice) await vscode.commands.executeCommand('git.openChange', uri)
  }
}
