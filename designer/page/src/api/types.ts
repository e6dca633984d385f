import type { NamedType } from './namedType'

// The shapes of the wire, as docs/http.md has them. False, 0, empty and
// absent are left out there, so nearly everything is optional here.

import type { Team } from './team'

export type Id = string
export type Action = 'cascade' | 'no_action' | 'set_null' | 'set_default' | 'restrict'
export type SyncState = 'synced' | 'proposed' | 'drifted'
export type Origin = 'agent' | 'page' | 'database' | 'file'

export interface Column {
  id: Id
  name: string
  dataType: string
  typeText?: string
  maxLength?: string
  precision?: number
  scale?: number
  isNullable?: boolean
  isIdentity?: boolean
  identitySeed?: number
  identityIncrement?: number
  defaultValue?: string
  isComputed?: boolean
  computedFormula?: string
  computedPersisted?: boolean
  collation?: string
  comment?: string
  values?: string[]
  options?: Record<string, string>
}

export interface Mapping {
  column: Id
  refColumn?: Id
}

export interface ForeignKey {
  id: Id
  name?: string
  refTable?: Id // absent: the key dangles
  mappings: Mapping[]
  onDelete: Action
  onUpdate: Action
  deferrable?: string
  options?: Record<string, string>
  dangling?: { schema?: string; table: string; columns: string[] }
}

export interface IndexPart {
  column?: Id
  expression?: string
  descending?: boolean
  collation?: string
  nulls?: 'first' | 'last'
  opClass?: string
  length?: number
}

export interface Index {
  id: Id
  name?: string
  unique?: boolean
  constraint?: boolean
  parts: IndexPart[]
  where?: string
  include?: Id[]
  method?: string
  options?: Record<string, string>
}

export interface Check {
  id: Id
  name?: string
  expression: string
  options?: Record<string, string>
}

export interface Table {
  id: Id
  schema: string
  name: string
  columns: Column[]
  primaryKey?: { name?: string; columns: Id[]; options?: Record<string, string> }
  foreignKeys?: ForeignKey[]
  indexes?: Index[]
  checks?: Check[]
  triggers?: string[]
  comment?: string
  options?: Record<string, string>
}

export interface DesignSummary {
  connection: string
  name: string
  dialect: string
  server: string
  database: string
  version: string
  tables: number
  undoSteps: number
  redoSteps: number
  sync: SyncState
  active: boolean
  interrupted: boolean
  readError?: string
  team?: Team // absent: it is not shared
}

export interface ConnectionInfo {
  id: string
  name: string
  dialect: string
  open: boolean
}

export interface DesignList {
  connections: ConnectionInfo[]
  designs: DesignSummary[]
  seq: number
}

export interface Snapshot extends Omit<DesignSummary, 'tables'> {
  seq: number
  defaultSchema: string
  schemas: string[]
  views: { schema?: string; name: string }[]
  tables: Table[]
  types: NamedType[] // enums and domains
}

export interface HistoryStep {
  step: number
  batchId: string
  origin: Origin
  at: string
  description: string
  author?: string; client?: string // in a team; the program that asked
  tables?: { id: Id; before?: Table; after?: Table }[]
}

export interface History {
  version: string
  undo: HistoryStep[]
  redo: HistoryStep[]
  happened: Happened[] // what was done and is no step, the newest first
}

// Happened is an event as the instance keeps it.
export interface Happened extends Pick<DesignEvent, 'seq' | 'type' | 'origin' | 'client' | 'author' | 'batchId' | 'sync' | 'changes'> {
  at: string
  tables?: Id[]
}

export interface Position {
  x: number
  y: number
  collapsed?: boolean // of a table: to its title
}

export interface Layout {
  counter: number
  positions: Record<Id, Position>
}

export interface TableName {
  schema: string
  name: string
}

// Changes are a receipt's lists; an entry's own name is under the list's kind.
export interface ChangeEntry {
  table?: TableName
  schema?: string
  name?: string
  column?: { name: string }
  foreignKey?: { name: string }
  index?: { name: string }
  check?: { name: string }
}
export type Changes = Record<string, ChangeEntry[]>

export type DesignEventType = 'committed' | 'undone' | 'redone' | 'refreshed' | 'published' | 'shown' | 'reset'

export interface DesignEvent {
  seq: number
  type: DesignEventType
  connectionId?: string
  version?: string
  previous?: string
  origin?: Origin; client?: string; author?: string // absent: the instance itself, in shown and reset; the program that asked; in a team
  batchId?: string
  changes?: Changes
  tables?: Table[]
  dropped?: Id[]
  tookBack?: { file: string; edits: number } // the design's file came in and took edits back
  sync?: SyncState
  undoSteps?: number
  redoSteps?: number
}

// Ask is one thing that the project's own files want of the person.
export interface Ask {
  digest: string
  key: string
  words: string
  detail?: string
  file: string
  line?: number
  trusted: boolean
}

export interface Trust {
  projectRoot: string
  command: string
  asks: Ask[]
}

export interface Project {
  projectRoot: string
  port: number
  url: string
  state: 'live' | 'stale' | 'not answering' | 'squatted'
  self: boolean
  pid?: number | null
  version?: string | null
  startedAt?: string | null
  activeDesigner?: string | null
  syncState?: SyncState | null
  approvals?: number | null // plans that wait for a person
  databases?: { name: string; dialect: string; database?: string; default?: boolean }[] | null
  moreDatabases?: number | null // those left out
}

export interface Approval {
  id: string
  kind: string
  title: string
  detail: string
  format: 'diff' | 'sql' | 'text'
  cut: boolean
  client: string
  created: string
  expires: string
  state: 'pending' | 'approved' | 'rejected' | 'used' | 'expired' | 'displaced'
  nameToType?: string // to approve it, where data is lost
  connection?: string
  server?: string
  database?: string
  statements?: string[] // in the order in which they would run
  files?: ApprovalFile[]
}

// ApprovalFile is one file that a plan changes; before is null where it is
// created. The texts are in GET /approvals/{id} only.
export interface ApprovalFile {
  path: string
  before: ApprovalText | null
  after: ApprovalText | null
}

export interface ApprovalText {
  version: string
  text?: string
}
