import { spawn, type ChildProcess } from 'node:child_process'
import { Lines } from './lines'

// One `berth attach`: it starts or joins the instance of a folder, holds it
// while this process lives, and says what happens there. docs/http.md has its
// lines.

export interface Ready {
  projectRoot: string
  port: number
  url: string
  pid: number
  version: string
  started: boolean
}

export type State =
  | { kind: 'starting' }
  | { kind: 'ready'; ready: Ready }
  | { kind: 'lost' }
  | { kind: 'stopped' }
  | { kind: 'failed'; error: string; hint: string }

export interface Plan {
  id: string
  kind: string
  title: string
  detail: string
  format: 'diff' | 'sql' | 'text'
  cut: boolean
  client: string
  expires: string
  state: string
  nameToType?: string // to approve it, where data is lost
  connection?: string
  server?: string
  database?: string
  statements?: string[]
  files?: PlanFile[]
}

export interface PlanFile {
  path: string
  before: { version: string; text?: string } | null
  after: { version: string; text?: string }
}

export interface Reply {
  error?: string
  hint?: string
  code?: string
  url?: string
  keyId?: string
  key?: string
  approval?: Plan
}

export interface DesignEvent {
  type: string
  connectionId?: string
  origin?: string
  sync?: string
}

export interface Notice {
  type: string
  path?: string
  additions?: number
  deletions?: number
  fast?: boolean // of an edit: no person approved it
  editId?: string // of a fast edit that can be undone
}

export interface Listener {
  state: (state: State) => void
  approvals: (plans: Plan[]) => void
  event: (event: DesignEvent) => void
  notice: (notice: Notice) => void
}

type Line =
  | ({ type: 'ready' } & Ready)
  | { type: 'lost' }
  | { type: 'stopped' }
  | { type: 'failed'; error: string; hint?: string }
  | { type: 'approvals'; approvals: Plan[] | null }
  | { type: 'event'; event?: DesignEvent; notice?: Notice }
  | ({ type: 'reply'; id: number } & Reply)

// An attach that is killed is started again, so often and after so long.
const restarts = 5
const restartAfter = 500 // ms

export class Attachment {
  private child: ChildProcess | null = null
  private last = 0
  private readonly waiting = new Map<number, (reply: Reply) => void>()
  private ended = false
  private killed = 0 // times in a row
  private errors = '' // the last of stderr

  constructor(
    private readonly program: string,
    private readonly root: string,
    private readonly name: string,
    private readonly listener: Listener,
  ) {
    this.start()
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  // request asks for something; its refusal is the reply's error.
  request(op: string, more: Record<string, string> = {}): Promise<Reply> {
    const stdin = this.child?.stdin
    if (!stdin?.writable) return Promise.resolve({ error: 'Berth does not serve this folder now' })
    const id = ++this.last
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      stdin.write(`${JSON.stringify({ id, op, ...more })}\n`)
    })
  }

  // restart tries again what failed, or serves again what was stopped.
  restart(): void {
    if (this.child) void this.request('start')
    else if (!this.ended) this.start()
  }

  close(): void {
    this.ended = true
    this.child?.stdin?.end() // the lease ends, and what was signed in is signed out
    this.settleAll()
  }

  private start(): void {
    this.listener.state({ kind: 'starting' })
    this.errors = ''
    const child = spawn(this.program, ['attach', this.root, '--json', '--stdin-lifeline', '--name', this.name], { cwd: this.root, stdio: 'pipe' })
    this.child = child
    const lines = new Lines((line) => this.take(line as Line))
    child.stdout.setEncoding('utf8').on('data', (text: string) => lines.feed(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors = (this.errors + text).slice(-2000)))
    child.stdin.on('error', () => undefined) // it has ended, which 'close' says
    child.on('error', (cause) => this.over(child, cause.message, null))
    child.on('close', (_, signal) => this.over(child, this.errors, signal))
  }

  // over: the process has ended. A signal is not its own doing.
  private over(child: ChildProcess, errors: string, signal: string | null): void {
    if (this.child !== child) return
    this.child = null
    this.settleAll()
    if (this.ended) return
    if (signal && this.killed++ < restarts) {
      this.listener.state({ kind: 'lost' })
      setTimeout(() => this.restart(), restartAfter)
      return
    }
    const { error, hint } = wordsOf(errors)
    this.listener.state({ kind: 'failed', error, hint })
  }

  private settleAll(): void {
    for (const resolve of this.waiting.values()) resolve({ error: 'Berth has ended' })
    this.waiting.clear()
  }

  private take(line: Line): void {
    if (line.type === 'ready') {
      this.killed = 0
      const { projectRoot, port, url, pid, version, started } = line
      this.listener.state({ kind: 'ready', ready: { projectRoot, port, url, pid, version, started } })
    } else if (line.type === 'lost' || line.type === 'stopped') this.listener.state({ kind: line.type })
    else if (line.type === 'failed') this.listener.state({ kind: 'failed', error: line.error, hint: line.hint ?? '' })
    else if (line.type === 'approvals') this.listener.approvals(line.approvals ?? [])
    else if (line.type === 'reply') {
      this.waiting.get(line.id)?.(line)
      this.waiting.delete(line.id)
    } else {
      if (line.event) this.listener.event(line.event)
      if (line.notice) this.listener.notice(line.notice)
    }
  }
}

// wordsOf reads what berth says when it fails: an error and a hint, on lines of
// their own.
export function wordsOf(text: string): { error: string; hint: string } {
  const [, error = text.trim() || 'berth ended without a word'] = /^berth: (.*)$/m.exec(text) ?? []
  const [, hint = ''] = /^hint: (.*)$/m.exec(text) ?? []
  return { error, hint }
}
