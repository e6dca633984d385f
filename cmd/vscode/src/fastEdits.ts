import { vscode } from './vscode'
import type { Notice } from './attachment'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note, report } from './log'
import { withoutLinks } from './planText'

// In fast mode an agent's edits are made without asking. Each is said, with a
// way to look at it and to take it back.

const scheme = 'berth-edit' // berth-edit://<id>/<path>: the file before the edit

// An edit as GET /edits/{id} has it.
export interface MadeEdit {
  id: string
  state: 'made' | 'undone' | 'changed'
  path: string
  before: { text?: string }
}

export class FastEdits implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[]

  constructor(private readonly folders: Folders) {
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      folders.onDidAdd((folder) =>
        folder.onNotice((notice) => {
          if (notice.type === 'file_edited' && notice.fast && notice.path) void this.tell(folder, notice, notice.path)
        }),
      ),
    ]
  }

  dispose(): void {
    for (const s of this.subscriptions) s.dispose()
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const folder = this.folders.find(uri.query)
    if (!folder) return 'Berth does not serve this folder now.\n'
    const { before } = await folder.instance.json<MadeEdit>(`/edits/${encodeURIComponent(uri.authority)}`)
    return before.text ?? 'The former version is too long to be shown here.\n'
  }

  private async tell(folder: Folder, { editId, additions = 0, deletions = 0 }: Notice, path: string): Promise<void> {
    note({ event: 'fastEdit', path, editId })
    const choices = editId ? ['Undo', 'Show Changes'] : ['Open']
    const choice = await vscode.window.showInformationMessage(withoutLinks(`AI edited ${path} (+${additions} −${deletions})`), ...choices)
    try {
      if (choice === 'Undo' && editId) await this.undo(folder, editId, path)
      else if (choice === 'Show Changes' && editId) await this.show(folder, editId, path)
      else if (choice) await vscode.window.showTextDocument(fileOf(folder, path))
    } catch (cause) {
      report(choice === 'Undo' ? 'undo the edit' : 'show the edit', cause)
    }
  }

  // undo takes the edit back where the file still is what it made; else it shows
  // what the file was before, beside what it is now.
  private async undo(folder: Folder, id: string, path: string): Promise<void> {
    const { state } = await folder.instance.json<MadeEdit>(`/edits/${encodeURIComponent(id)}/undo`, 'POST')
    note({ event: 'fastEditUndo', path, state })
    if (state === 'undone') {
      vscode.window.setStatusBarMessage(`${path} is what it was before`, 5000)
      return
    }
    await this.show(folder, id, path)
    void vscode.window.showWarningMessage(`${path} has been changed since, so nothing was undone: take back what you want here.`)
  }

  private async show(folder: Folder, id: string, path: string): Promise<void> {
    const before = vscode.Uri.from({ scheme, authority: id, path: `/${path}`, query: folder.root })
    await vscode.commands.executeCommand('vscode.diff', before, fileOf(folder, path), `${path} (before the edit ↔ now)`, { preview: false })
  }
}

function fileOf(folder: Folder, path: string): vscode.Uri {
  return vscode.Uri.joinPath(folder.workspace.uri, path)
}
