import type { Outcome, Receipt, Refusal } from '../../api/edits'
import { getJson, sendJson } from '../../api/http'
import type { Approval, SyncState, TableName } from '../../api/types'

// The routes and replies that only panels use, as docs/http.md has them.

export interface DiffItem {
  kind: string // designer/diff_items.go
  table: TableName
  name?: string
  was?: string
  fields?: string[]
  from?: string // what it was; left out: it comes, or nobody says
  to?: string // what it becomes; left out: it goes, or nobody says
}

export interface Changes {
  version: string
  sync: SyncState
  count: number
  changes: DiffItem[]
}

export type Side = 'design' | 'database'

export interface Conflict {
  id: string
  table: TableName
  part?: string
  what: string
  base?: string
  design?: string
  database?: string
}

export type Risk = 'data_loss' | 'rewrites_table' | 'blocks_writes' | 'not_transactional' | 'may_fail' | 'invents_values' | 'breaks'

export interface Step {
  statement: string
  comment: string
  reverse?: string
  risks?: Risk[]
  compound?: boolean // holds the separator itself
  made?: string // finds a row where it has been made
}

export interface Plan {
  success?: true
  version: string
  sync: SyncState
  plan?: string
  transactional: boolean
  from: number
  changes: DiffItem[]
  conflicts?: Conflict[]
  steps: Step[]
  notes?: string[]
  script: string
}

export interface Script {
  success?: true
  version: string
  format: string
  text: string
  notes?: string[]
}

export interface StepFailure {
  step: number
  appliedSteps: number
  statement: string
}

// TextPlace is where a text cannot be read: excerpt is its line, and a caret
// below it.
export interface TextPlace {
  line?: number
  column?: number
  excerpt?: string
}

// ReadAs says as what a text was read, where that is not plain: by which mark,
// and that no server read it.
export interface ReadAs {
  format: string
  dialect?: string
  because?: string
  line?: number
  byText?: boolean
}

export interface Refused extends Refusal {
  failedStep?: StepFailure
  place?: TextPlace
  conflicts?: { table: TableName; part?: string }[]
}

export type TextFormat = 'sql' | 'dbml' | 'prisma' | 'mermaid' | 'markdown' | 'json'

export interface ImportText {
  text: string
  format: '' | 'sql' | 'dbml' | 'prisma' | 'json' // "": guessed by the instance
  dialect: string // "": guessed by the instance
  expectedVersion: string
  dryRun: boolean
}

const path = (connection: string, rest: string): string => `/designs/${encodeURIComponent(connection)}${rest}`

export const getChanges = (connection: string, signal?: AbortSignal): Promise<Changes> => getJson(path(connection, '/changes'), signal)

export const getPlan = (connection: string, signal?: AbortSignal): Promise<Plan | Refused> => getJson(path(connection, '/plan'), signal)

// TextForm says how a design is to be written; sql alone has a dialect (the
// design's own if it is left out) and, on PostgreSQL, owners and GRANTs.
export interface TextForm {
  format: TextFormat
  dialect?: string
  owners?: boolean
}

export function getScript(connection: string, { format, dialect, owners }: TextForm, signal?: AbortSignal): Promise<Script | Refused> {
  const query = new URLSearchParams({ format, ...(dialect ? { dialect } : {}), ...(owners ? { owners: 'true' } : {}) })
  return getJson(path(connection, `/script?${query.toString()}`), signal)
}

export const importText = (connection: string, body: ImportText): Promise<Receipt | Refused> => sendJson('POST', path(connection, '/import'), body)

export const revertSteps = (connection: string, steps: number[], expectedVersion: string): Promise<Outcome> =>
  sendJson('POST', path(connection, '/revert'), { steps, expectedVersion })

export const listApprovals = (): Promise<{ approvals: Approval[] }> => getJson('/approvals')

export const decideApproval = (id: string, decision: 'approve' | 'reject', typed: string): Promise<Approval> =>
  sendJson('POST', `/approvals/${encodeURIComponent(id)}`, { decision, typed })

// undoEdit takes back an edit of fast mode, if the file is what it made of it.
export const undoEdit = (id: string): Promise<{ state: 'made' | 'undone' | 'changed' }> => sendJson('POST', `/edits/${encodeURIComponent(id)}/undo`)

// refused tells a refusal of the tool from what it answers otherwise.
export function refused(reply: object): reply is Refused {
  return 'success' in reply && reply.success === false
}
