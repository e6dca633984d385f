import { vscode } from './vscode'
import type { Plan } from './attachment'
import type { Folder } from './folder'
import type { Folders } from './folders'
import { note, report } from './log'
import { oneLine } from './planText'
import { addressOf, planScheme, PlanDocuments } from './planDocuments'

// Approvals notifies a person of plans that wait, shows them in the editor's own
// diff view or as a document, and carries the decision.
export class Approvals implements vscode.Disposable {
  private readonly documents = new PlanDocuments()
  private readonly told = new Map<string, () => void>() // ends a notification, by plan
  private readonly subscriptions: vscode.Disposable[]

  constructor(private readonly folders: Folders) {
    this.subscriptions = [
      this.documents,
      folders.onDidAdd((folder) => folder.onDidChange(() => this.follow(folder))),
      vscode.commands.registerCommand('berth.approve', (uri?: vscode.Uri) => this.decideOpen('approve', uri)),
      vscode.commands.registerCommand('berth.reject', (uri?: vscode.Uri) => this.decideOpen('reject', uri)),
      vscode.commands.registerCommand('berth.showApprovals', () => this.pick()),
      vscode.commands.registerCommand('berth.showPlan', (id: string) => this.showPlan(id)),
    ]
  }

  dispose(): void {
    for (const s of this.subscriptions) s.dispose()
    for (const end of this.told.values()) end()
  }

  // pick shows the one plan that waits, or asks which.
  async pick(): Promise<void> {
    const waiting = this.folders.all.flatMap((folder) => folder.pending.map((plan) => ({ label: oneLine(folder.name, plan), folder, plan })))
    const [first] = waiting
    if (!first) {
      void vscode.window.showInformationMessage('Nothing waits for you.')
      return
    }
    const picked = waiting.length === 1 ? first : await vscode.window.showQuickPick(waiting, { title: 'What waits for your approval' })
    if (picked) await this.show(picked.folder, picked.plan)
  }

  // showPlan shows a plan that waits. One that was settled meanwhile leads to
  // those that still do.
  private async showPlan(id: string): Promise<void> {
    for (const folder of this.folders.all) {
      const plan = folder.pending.find((p) => p.id === id)
      if (plan) return this.show(folder, plan)
    }
    await this.pick()
  }

  // show opens a plan: files as diffs, all else as a document.
  async show(folder: Folder, plan: Plan): Promise<void> {
    try {
      const whole = await folder.plan(plan.id)
      const { files = [] } = whole
      this.documents.keep(folder, whole)
      if (files.length === 0 || files.some((f) => f.after.text === undefined)) {
        const doc = await vscode.workspace.openTextDocument(addressOf(folder, whole, whole.format === 'sql' ? 'plan.sql' : 'plan.txt', 'plan'))
        await vscode.window.showTextDocument(doc, { preview: false })
      }
      for (const { path, before, after } of files) {
        if (after.text === undefined) continue
        const title = `${path} (${before ? 'proposed' : 'new file'})`
        await vscode.commands.executeCommand('vscode.diff', addressOf(folder, whole, path, 'before'), addressOf(folder, whole, path, 'after'), title, { preview: false })
      }
      note({ event: 'planShown', id: plan.id, files: files.length })
    } catch (cause) {
      report('show what waits', cause)
    }
  }

  // follow announces new plans and ends the notifications of settled ones.
  private follow(folder: Folder): void {
    const waiting = new Set(folder.pending.map((p) => p.id))
    for (const plan of folder.pending) {
      if (!this.told.has(plan.id)) this.tell(folder, plan)
    }
    for (const [id, end] of this.told) {
      if (!waiting.has(id) && !this.folders.all.some((f) => f.pending.some((p) => p.id === id))) {
        end()
        this.told.delete(id)
        void this.documents.close(id)
      }
    }
  }

  // tell shows a notification that ends by itself when the plan is settled: one
  // of showInformationMessage could not be taken back.
  private tell(folder: Folder, plan: Plan): void {
    let end = (): void => undefined
    const settled = new Promise<void>((resolve) => (end = resolve))
    this.told.set(plan.id, end)
    note({ event: 'planTold', id: plan.id, root: folder.root })
    const show = `command:berth.showPlan?${encodeURIComponent(JSON.stringify([plan.id]))}`
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `[Show Changes](${show}) ${oneLine(folder.name, plan)}` }, () => settled)
  }

  private async decideOpen(decision: 'approve' | 'reject', given?: vscode.Uri): Promise<void> {
    const uri = given?.scheme === planScheme ? given : activePlan()
    const open = uri && this.documents.find(uri)
    if (!open) return
    const { folder, plan } = open
    try {
      const typed = decision === 'approve' ? await approval(plan) : ''
      if (typed === undefined) return
      const settled = await folder.decide(plan.id, decision, typed)
      note({ event: 'planDecided', id: plan.id, state: settled.state })
      vscode.window.setStatusBarMessage(settled.state === 'approved' ? 'Approved. The agent repeats its call.' : 'Rejected.', 5000)
      await this.documents.close(plan.id)
    } catch (cause) {
      report(decision === 'approve' ? 'approve it' : 'reject it', cause)
    }
  }
}

// approval asks for the name that has to be typed where data is lost, and refuses
// what is not shown whole. undefined: it is not approved.
async function approval(plan: Plan): Promise<string | undefined> {
  if (plan.cut) {
    void vscode.window.showWarningMessage('There is more than is shown, so this can only be rejected.')
    return undefined
  }
  const { nameToType: name } = plan
  if (!name) return ''
  note({ event: 'nameAsked', id: plan.id, name })
  return vscode.window.showInputBox({
    title: 'Data is lost by this',
    prompt: `Type ${name} to approve it`,
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === name ? undefined : { message: `Not ${name} yet`, severity: vscode.InputBoxValidationSeverity.Error }),
  })
}

function activePlan(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined
  return uri?.scheme === planScheme ? uri : undefined
}
