import { listDesigns } from '../../api/designs'
import { call, designerTool, type Question, type ToolResult } from '../../api/tools'
import { sendJson } from '../../api/http'
import { store } from '../../store/state'
import { getPlan, refused, type DiffItem, type Plan, type Refused } from '../lib/api'

// The designer's operations that reach beyond the design. Each is made twice:
// the first call comes back with a question and has done nothing, the second
// carries the person's answer.

export interface Done {
  success: true
  version: string
  message?: string
  steps?: number
  left?: DiffItem[]
  notes?: string[]
}

export type Reply = Done | Refused

const longest = 300_000 // the most that an instance waits for one call

interface Operation {
  operation: 'publish' | 'rebase' | 'verify'
  connectionId: string
  payload: Record<string, unknown>
}

function read(result: ToolResult): Reply {
  return JSON.parse(result.content[0] ?? '{}') as Reply
}

// begin makes the first call: an answer, or the question to put.
export async function begin(of: Operation, signal?: AbortSignal): Promise<{ reply: Reply } | { question: Question }> {
  const answer = await call(designerTool, { ...of }, { elicitation: true, deadlineMs: longest, ...(signal ? { signal } : {}) })
  return answer.kind === 'question' ? { question: answer.question } : { reply: read(answer.result) }
}

// nameIn is what a person types to answer a question with yes, where data is
// lost; '' where a press is enough.
export function nameIn(question: Question): string {
  return Object.values(question.requests).map((r) => r.params._meta?.['berth.dev/nameToType'] ?? '').join('')
}

// accept repeats the call with a person's yes, and with the name that they typed
// for it.
export async function accept(of: Operation, question: Question, typed: string, onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<Reply> {
  const content = { decision: 'approve', ...(typed ? { database: typed } : {}) }
  const inputResponses = Object.fromEntries(Object.keys(question.requests).map((name) => [name, { action: 'accept' as const, content }]))
  const answer = await call(designerTool, { ...of }, {
    elicitation: true,
    deadlineMs: longest,
    answer: { inputResponses, requestState: question.state },
    onProgress: (p) => onProgress(p.progress, p.total ?? 0),
    ...(signal ? { signal } : {}),
  })
  if (answer.kind === 'question') return { success: false, reason: 'stale_state', message: 'The plan has changed since you were asked; nothing was done. Look again.' }
  return read(answer.result)
}

export function messageIn(question: Question): string {
  return Object.values(question.requests)
    .map((r) => r.params.message ?? '')
    .join('\n')
}

// publishing is the publish of a design: to its own database, or, of a design
// without one, to the database of the connection to.
export function publishing(connectionId: string, version: string, to = ''): Operation {
  return { operation: 'publish', connectionId, payload: { expectedVersion: version, ...(to ? { to } : {}) } }
}

// MadeFile is a SQLite file that was made for a design, and what leads to it.
export interface MadeFile {
  connection: string
  name: string
  path: string
  file: string // of the settings
  written?: string[]
}

// makeFile makes an empty SQLite file below the project, for a design without a
// database to be published to.
export async function makeFile(connection: string, path: string): Promise<MadeFile> {
  const made: MadeFile = await sendJson('POST', `/designs/${encodeURIComponent(connection)}/file`, { path })
  store.set({ list: await listDesigns() })
  return made
}

// Stage is how far a publish has come.
export type Stage =
  | { kind: 'checking' }
  | { kind: 'ask'; question: Question; plan: Plan; target: Target | null }
  | { kind: 'running'; plan: Plan; done: number; total: number }
  | { kind: 'ended'; reply: Reply; plan: Plan | null }
  | { kind: 'lost'; why: string; running: boolean } // nobody knows what became of it

// Target is the database that a design without one is published to.
export interface Target {
  database: string
  server: string
}

// prepare has the plan tried, and reads what would run once it was accepted:
// read after the question, the plan is the one that the answer is bound to,
// or the answer is refused.
export async function prepare(connection: string, version: string, to: string, signal: AbortSignal): Promise<Stage> {
  const first = await begin(publishing(connection, version, to), signal)
  if ('reply' in first) return { kind: 'ended', reply: first.reply, plan: null }
  const plan = await getPlan(to || connection, signal)
  if (refused(plan)) return { kind: 'ended', reply: plan, plan: null }
  if (to) return { kind: 'ask', question: first.question, plan, target: await targetOf(to) }
  if (plan.version !== version) {
    return { kind: 'ended', plan: null, reply: { success: false, reason: 'stale_state', message: 'The design has just changed; nothing was published. Look again.' } }
  }
  return { kind: 'ask', question: first.question, plan, target: null }
}

// targetOf finds the database of a connection, whose design is there by now.
async function targetOf(to: string): Promise<Target> {
  const found = (await listDesigns()).designs.find((d) => d.connection === to)
  return { database: found?.database ?? to, server: found?.server ?? '' }
}
