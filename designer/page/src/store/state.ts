import type { Edit } from '../api/edits'
import type { DesignList, DialectInfo, Id, Origin, Position } from '../api/types'
import type { Clash } from './conflict'
import type { Design } from './design'
import { noLint, type Lint } from './lint'
import { createStore, useSelector } from './store'

// The one state of the page. What the instance said is in `confirmed`; what
// is shown is `design`: confirmed with the edits that are still on their way.

export type Phase =
  | 'starting'
  | 'signedOut' // no key, or one that was revoked
  | 'foreign' // another project lives on this port
  | 'controlled' // a service worker stands between the page and its instance
  | 'loading' // signed in, no design yet
  | 'empty' // the project has no connection
  | 'failed' // the design cannot be read
  | 'ready'

export interface Pending {
  id: number
  edits: Edit[]
  ids: Map<string, Id> // what was invented for its new parts
  seen: Design // as the person saw it when making the edit
  state: 'queued' | 'sent' | 'settled'
  version?: string // settled: the design's version after it
}

// Clashing is an edit that was refused because what it is about has changed.
export interface Clashing {
  id: number
  edits: Edit[]
  items: Clash[]
}

export interface Toast {
  id: number
  tone: 'info' | 'good' | 'warn' | 'bad'
  text: string
  action?: { label: string; run: () => void }
  sticky: boolean // stays until it is closed
}

export interface Activity {
  id: number
  at: number // milliseconds since 1970
  origin: Origin
  own: boolean // made in this browser
  text: string
  tables: Id[]
  batchId?: string
}

export interface Mark {
  origin: Origin
  at: number
  text: string
}

// Move is a change of the layout that this page can undo.
export interface Move {
  before: Readonly<Record<Id, Position | null>>
  after: Readonly<Record<Id, Position>>
  steps: number // of the design when it was made
  at: number // milliseconds since 1970
  open: boolean // the gesture goes on
}

export interface Filter {
  schemas: ReadonlySet<string> | null // null: all
  around: { table: Id; distance: number } | null
}

export type Theme = 'auto' | 'light' | 'dark'

// Form says which form is open, and on what.
export type Form =
  | { kind: 'table'; table: Id | null; section?: 'columns' | 'keys' | 'indexes'; focus?: 'new' }
  | { kind: 'relation'; table: Id; key: Id | null; draft?: { column: Id; refTable: Id; refColumn: Id } }

export interface State {
  phase: Phase
  why: string // of signedOut and failed
  online: boolean
  projectRoot: string
  list: DesignList
  connection: string
  confirmed: Design | null
  design: Design | null
  dialect: DialectInfo | null
  pending: readonly Pending[]
  positions: Readonly<Record<Id, Position>>
  layoutLoaded: boolean
  moves: readonly Move[] // that undo takes back, the last one first
  unmoved: readonly Move[] // that redo makes again, the last one first
  arranging: number // how many arrangements are being worked out
  selected: ReadonlySet<Id>
  selectedKey: { table: Id; key: Id } | null // the relation that is selected
  renaming: { table: Id; column: Id | null } | null // what is renamed in place
  filter: Filter
  marks: ReadonlyMap<Id, Mark>
  lint: Lint
  activity: readonly Activity[]
  clashes: readonly Clashing[] // that wait for the person to pick a side
  toasts: readonly Toast[]
  panel: string | null // the side panel that is open
  form: Form | null
  theme: Theme
  searching: boolean
  helping: boolean
}

export const initial: State = {
  phase: 'starting',
  why: '',
  online: true,
  projectRoot: '',
  list: { connections: [], designs: [], seq: 0 },
  connection: '',
  confirmed: null,
  design: null,
  dialect: null,
  pending: [],
  positions: {},
  layoutLoaded: false,
  moves: [],
  unmoved: [],
  arranging: 0,
  selected: new Set(),
  selectedKey: null,
  renaming: null,
  filter: { schemas: null, around: null },
  marks: new Map(),
  lint: noLint,
  activity: [],
  clashes: [],
  toasts: [],
  panel: null,
  form: null,
  theme: 'auto',
  searching: false,
  helping: false,
}

export const store = createStore<State>(initial)

export function useStore<T>(select: (state: State) => T, same?: (a: T, b: T) => boolean): T {
  return useSelector(store, select, same)
}

let counter = 0

// nextId numbers what the page makes: toasts, pending edits, activity.
export function nextId(): number {
  counter += 1
  return counter
}
