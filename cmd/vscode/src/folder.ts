import { vscode } from './vscode'
import { Attachment, type DesignEvent, type Notice, type Plan, type State } from './attachment'
import { Instance } from './instance'
import { note } from './log'
import { program } from './program'

// Folder is a folder of this window and its instance: one each.
export class Folder {
  readonly instance: Instance
  state: State = { kind: 'starting' }
  plans: Plan[] = []
  sync = '' // of the active design
  private heard = 0 // times that sync was said
  private readonly attachment: Attachment
  private readonly changed = new vscode.EventEmitter<Folder>()
  private readonly happened = new vscode.EventEmitter<DesignEvent>()
  private readonly noticed = new vscode.EventEmitter<Notice>()
  readonly onDidChange = this.changed.event // state or plans
  readonly onEvent = this.happened.event
  readonly onNotice = this.noticed.event

  constructor(readonly workspace: vscode.WorkspaceFolder) {
    this.attachment = new Attachment(program(), workspace.uri.fsPath, `${vscode.env.appName}: ${workspace.name}`, {
      state: (state) => this.take(state),
      approvals: (plans) => {
        this.plans = plans
        note({ event: 'approvals', root: this.root, pending: this.pending.length })
        this.changed.fire(this)
      },
      event: (event) => {
        if (event.sync) this.say(event.sync)
        this.happened.fire(event)
        this.changed.fire(this)
      },
      notice: (notice) => this.noticed.fire(notice),
    })
    this.instance = new Instance(this.attachment)
  }

  get name(): string {
    return this.workspace.name
  }

  get root(): string {
    return this.state.kind === 'ready' ? this.state.ready.projectRoot : this.workspace.uri.fsPath
  }

  get pending(): Plan[] {
    return this.plans.filter((p) => p.state === 'pending')
  }

  // plan reads one plan whole, with the files before and after.
  async plan(id: string): Promise<Plan> {
    return this.instance.json<Plan>(`/approvals/${encodeURIComponent(id)}`)
  }

  async decide(id: string, decision: 'approve' | 'reject', typed = ''): Promise<Plan> {
    return this.instance.json<Plan>(`/approvals/${encodeURIComponent(id)}`, 'POST', { decision, typed })
  }

  // signInAddress is an address that signs a browser in once.
  async signInAddress(): Promise<string> {
    const reply = await this.attachment.request('code')
    if (!reply.url) throw new Error(reply.error ?? 'the instance gave no code')
    return reply.url
  }

  // served resolves once an instance serves the folder.
  served(): Promise<void> {
    return new Promise((resolve) => {
      if (this.instance.served) {
        resolve()
        return
      }
      const watch = this.onDidChange(() => {
        if (!this.instance.served) return
        watch.dispose()
        resolve()
      })
    })
  }

  restart(): void {
    this.attachment.restart()
  }

  dispose(): void {
    this.attachment.close()
    this.changed.dispose()
    this.happened.dispose()
    this.noticed.dispose()
  }

  private take(state: State): void {
    // The first state comes from within the attachment's constructor.
    queueMicrotask(() => {
      this.state = state
      this.instance.serve(state.kind === 'ready' ? state.ready : null)
      if (state.kind === 'ready') void this.readSync()
      else this.plans = []
      note({ event: 'state', root: this.root, attach: this.attachment.pid, ...state })
      this.changed.fire(this)
    })
  }

  private say(sync: string): void {
    this.sync = sync
    this.heard++
  }

  // readSync reads how the design stands, which events say only when it changes.
  // An event that comes meanwhile is newer.
  private async readSync(): Promise<void> {
    const before = ++this.heard
    const status = await this.instance.json<{ syncState?: string }>('/status').catch(() => null) // the instance has ended
    if (!status || before !== this.heard) return
    this.say(status.syncState ?? '')
    this.changed.fire(this)
  }
}
