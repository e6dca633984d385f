import { vscode } from './vscode'
import type { Plan } from './attachment'
import type { Folder } from './folder'
import { document } from './planText'

// The documents of plans: berth-plan://<id>/<side>/<path>. They are read-only,
// and exactly what the instance holds under that id, which never changes.

export const planScheme = 'berth-plan'

export type Side = 'before' | 'after' | 'plan'

export function addressOf(folder: Folder, plan: Plan, path: string, side: Side): vscode.Uri {
  return vscode.Uri.from({ scheme: planScheme, authority: plan.id, path: `/${side}/${path}`, query: folder.root })
}

interface Open {
  folder: Folder
  plan: Plan
}

export class PlanDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly open = new Map<string, Open>()
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(planScheme, this)

  keep(folder: Folder, plan: Plan): void {
    this.open.set(plan.id, { folder, plan })
  }

  find(uri: vscode.Uri): Open | undefined {
    return this.open.get(uri.authority)
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const open = this.find(uri)
    if (!open) return 'This plan is settled.\n'
    const [, side, ...names] = uri.path.split('/')
    const file = open.plan.files?.find((f) => f.path === names.join('/'))
    if (side === 'before') return file?.before?.text ?? ''
    if (side === 'after') return file?.after.text ?? ''
    return document(open.folder.name, open.plan)
  }

  // close closes the tabs of a plan, in every group.
  async close(id: string): Promise<void> {
    this.open.delete(id)
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => {
      const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined
      return uri?.scheme === planScheme && uri.authority === id
    })
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs)
  }

  dispose(): void {
    this.registration.dispose()
  }
}
