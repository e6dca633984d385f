import type { Edit } from '../api/edits'
import type { Item, Items } from '../api/items'
import type { DialectInfo } from '../api/dialect'
import type { DesignEventType, DesignList, Id, Origin, Position } from '../api/types'
import type { SavedView } from '../api/views'
import type { Clash } from './conflict'
import type { Design } from './design'
import { noLint, type Lint } from './lint'
import { noReview, type Reviewing } from './review'
import { createStore, useSelector } from './store'

// The one state of the page. What the instance said is in `confirmed`; what
// is shown is `design`: confirmed with the edits that are still on their way.

export type Phase =
  | 'starting'
  | 'signedOut' // no key, or one that was revoked
  | 'foreign' // another project lives on this port
  | 'controlled' // a service worker stands between the page and its instance
  | 'shared' // the address has a path: other programs have this origin
  | 'insecure' // the address has no HTTPS
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
  seq: number // of its event
  type: DesignEventType
  at: number // milliseconds since 1970
  origin: Origin
  who: string // did it
  own: boolean // made in this browser
  text: string
  tables: Id[]
  batchId?: string
}

export interface Mark {
  origin: Origin
  who: string
  at: number
  text: string
}

// ItemsChange are areas and notes by their ids; null: there is none.
export type ItemsChange = Readonly<Record<string, Item | null>>

// Move is a change of the layout that this page can undo.
export interface Move {
  before: Readonly<Record<Id, Position | null>>
  after: Readonly<Record<Id, Position>>
  items: { before: ItemsChange; after: ItemsChange }
  steps: number // of the design when it was made
  at: number // milliseconds since 1970
  open: boolean // the gesture goes on
}

// Filter says which tables the canvas shows.
export interface Filter {
  ranked: Ranked | null
  view: OpenView | null // nothing but these tables
  schemas: ReadonlySet<string> | null // null: all
  around: { table: Id; distance: number } | null
  hidden: ReadonlySet<Id> // one by one
  also: ReadonlySet<Id> // asked for by name since: shown whatever the rest says
}

// Ranked is the first view of a large design: its tables with most relations.
// What comes into the design later is none of the rest, and is shown.
export interface Ranked {
  most: number // tables that the view began with
  rest: ReadonlySet<Id>
}

// OpenView is a set of tables that a person chose; id is that of the saved view
// that it was opened as, or ''.
export interface OpenView {
  id: string
  tables: ReadonlySet<Id>
}

// Spread is an arrangement for one part of a filter, and no other.
export interface Spread {
  of: object // see viewOf in canvas/spread.ts
  at: Readonly<Record<Id, Position>>
  items: Items // its areas and notes
}

export const noFilter: Filter = { ranked: null, view: null, schemas: null, around: null, hidden: new Set(), also: new Set() }

export type Theme = 'auto' | 'light' | 'dark'

// Form says which form is open, and on what: of a table also on the details of a
// column, of a new one also where it goes on the canvas.
export type Form =
  | { kind: 'table'; table: Id; section?: 'columns' | 'keys' | 'indexes'; focus?: 'new'; column?: Id }
  | { kind: 'table'; table: null; at?: Position }
  | { kind: 'type'; table: null; type: Id | null }
  | { kind: 'relation'; table: Id; key: Id | null; draft?: { column: Id; refTable: Id; refColumn: Id } }

export interface State {
  phase: Phase
  why: string // of signedOut and failed
  online: boolean
  silent: boolean // requests reach the instance, or seem to, and it answers none
  projectRoot: string
  list: DesignList
  connection: string
  confirmed: Design | null
  design: Design | null
  dialect: DialectInfo | null
  pending: readonly Pending[]
  positions: Readonly<Record<Id, Position>>
  layoutLoaded: boolean
  items: Items | null // of the layout; null: the instance keeps none
  moves: readonly Move[] // that undo takes back, the last one first
  unmoved: readonly Move[] // that redo makes again, the last one first
  arranging: number // how many arrangements are being worked out
  named: ReadonlyMap<Id, Id> // of what was shown before the instance had it: the id invented for it → the instance's
  selected: ReadonlySet<Id>
  selectedKey: { table: Id; key: Id } | null // the relation that is selected
  chosenItem: string | null // the area or note that is selected
  writing: string | null // the one whose text is edited
  renaming: { table: Id; column: Id | null } | null // what is renamed in place
  filter: Filter
  views: readonly SavedView[] | null // null: the instance keeps none
  naming: boolean // a name is asked for what is shown
  spread: Spread | null // how what a view shows was arranged
  marks: ReadonlyMap<Id, Mark>
  lint: Lint
  reviewing: Reviewing
  activity: readonly Activity[]
  clashes: readonly Clashing[] // that wait for the person to pick a side
  toasts: readonly Toast[]
  panel: string | null // the side panel that is open
  outline: boolean // the list of tables beside the canvas is open
  form: Form | null
  theme: Theme
  searching: boolean
  helping: boolean
}

export const initial: State = {
  phase: 'starting',
  why: '',
  online: true,
  silent: false,
  projectRoot: '',
  list: { connections: [], designs: [], seq: 0 },
  connection: '',
  confirmed: null,
  design: null,
  dialect: null,
  pending: [],
  positions: {},
  layoutLoaded: false,
  items: null,
  moves: [],
  unmoved: [],
  named: new Map(),
  arranging: 0,
  selected: new Set(),
  selectedKey: null,
  chosenItem: null,
  writing: null,
  renaming: null,
  filter: noFilter,
  views: null,
  naming: false,
  spread: null,
  marks: new Map(),
  lint: noLint,
  reviewing: noReview,
  activity: [],
  clashes: [],
  toasts: [],
  panel: null,
  outline: false,
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
