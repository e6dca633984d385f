import type { Edit, Outcome, Refusal } from '../api/edits'
import { Offline } from '../api/http'
import { designer } from '../api/tools'
import type { Id, Table } from '../api/types'
import { applyEdits, isInvented } from './apply'
import { clash, type Clash } from './conflict'
import { columnByName, findTable, type Design } from './design'
import { alsoChanged, withRelated } from './retype'
import { nextId, store, type Form, type Pending } from './state'
import { closeToast, toast } from './toasts'

// Edits on their way to the instance. They are shown at once, sent one batch
// at a time with the version that they follow, and then dropped when the
// event that confirms them has come. A batch that turns out to be made on an
// older design is made again on the new one if what it touches is unchanged,
// and refused aloud if not.

// Conflict is a refusal of the page's own: others have changed the same.
interface Conflict extends Refusal {
  clashes: Clash[]
}

type Settle = (outcome: Outcome) => void

const waiting = new Map<number, Settle>()
let heard: string[] = [] // versions of events that came while an edit was on its way: its receipt may be slower
let sending = false
let resync: () => Promise<void> = () => Promise.resolve()

// onResync gives the queue a way to read the design again.
export function onResync(read: () => Promise<void>): void {
  resync = read
}

// edit makes edits, all or none. The outcome is the instance's, unless what
// they are about has changed since seen, the design that the person looked at
// when they began; null: the one that is shown now. A column's new type goes to
// the columns that foreign keys relate to it.
export function edit(given: Edit[], seen: Design | null = null): Promise<Outcome> {
  const { design } = store.get()
  if (!design) return Promise.resolve(refusal('no_active_designer', 'no design is open'))
  const { edits, also } = withRelated(design, given)
  const clashes = seen && seen !== design ? clashesOf(edits, seen, design) : []
  if (clashes.length > 0) return Promise.resolve(conflict(clashes))
  const pending: Pending = { id: nextId(), edits, ids: new Map(), seen: design, state: 'queued' }
  return new Promise((settle) => {
    waiting.set(pending.id, (outcome) => {
      if (outcome.success && also.length > 0) toast('info', alsoChanged(also))
      settle(outcome)
    })
    store.set((s) => ({ pending: [...s.pending, pending], unmoved: [], ...displayed(s.confirmed, [...s.pending, pending]) }))
    void pump()
  })
}

// tryEdits asks the instance what it would say to edits; nothing is changed.
export async function tryEdits(given: Edit[]): Promise<Outcome> {
  const { connection, design } = store.get()
  const edits = design ? withRelated(design, given).edits : given
  const payload = { expectedVersion: head(), edits }
  return designer<Outcome>('apply_edits', connection, { payload, options: { dryRun: true, atomic: true } })
}

// head is the version that the next edit follows.
export function head(): string {
  const { pending, confirmed } = store.get()
  return pending.findLast((p) => p.state === 'settled')?.version ?? confirmed?.version ?? ''
}

export function unsent(): boolean {
  return store.get().pending.some((p) => p.state !== 'settled')
}

// displayed is what is shown for a confirmed design with edits on their way.
function displayed(confirmed: Design | null, pending: readonly Pending[]): { design: Design | null } {
  return { design: confirmed && pending.reduce((d, p) => applyEdits(d, p.edits, p.ids), confirmed) }
}

// confirm puts what the instance says in place. version is that of an event;
// null: a snapshot, which has everything that was settled before it.
export function confirm(confirmed: Design, version: string | null): void {
  if (version !== null && store.get().pending.some((p) => p.state === 'sent')) heard.push(version)
  store.set((s) => {
    const done = s.pending.filter((p) => p.state === 'settled' && (version === null || p.version === version))
    const pending = s.pending.filter((p) => !done.includes(p))
    const { design } = displayed(confirmed, pending)
    const named = namedBy(s.named, s.design, design)
    if (named === s.named) return { confirmed, pending, design }
    return { confirmed, pending, design, named, selected: new Set([...s.selected].map((id) => named.get(id) ?? id)), form: followed(s.form, named) }
  })
}

// namedBy adds to the invented ids that have a name by now those of what is
// shown that the instance has given an id in next.
function namedBy(named: ReadonlyMap<Id, Id>, shown: Design | null, next: Design | null): ReadonlyMap<Id, Id> {
  if (!shown || !next) return named
  const found = new Map<Id, Id>()
  for (const before of shown.tables.values()) {
    const invented = before.columns.filter((c) => isInvented(c.id))
    if (!isInvented(before.id) && invented.length === 0) continue
    const now = next.tables.get(before.id) ?? findTable(next, before.schema, before.name)
    if (!now) continue
    if (now.id !== before.id) found.set(before.id, now.id)
    for (const c of invented) {
      const column = columnByName(now, c.name)
      if (column && column.id !== c.id) found.set(c.id, column.id)
    }
  }
  return found.size > 0 ? new Map([...named, ...found]) : named
}

// followed is a form that was opened on what had an invented id. One that was
// not stays the same object: for another one the form's parts start again.
function followed(form: Form | null, named: ReadonlyMap<Id, Id>): Form | null {
  if (form?.table == null) return form
  const now = (id: Id): Id => named.get(id) ?? id
  const next: Form = { ...form, table: now(form.table) }
  if (next.kind === 'relation' && next.draft) {
    const { column, refTable, refColumn } = next.draft
    next.draft = { column: now(column), refTable: now(refTable), refColumn: now(refColumn) }
  }
  return JSON.stringify(next) === JSON.stringify(form) ? form : next
}

// pump sends what is queued, one batch after the other.
export async function pump(): Promise<void> {
  if (sending) return
  sending = true
  try {
    for (let next = queued(); next && store.get().online; next = queued()) await sendOne(next)
  } finally {
    sending = false
  }
}

function queued(): Pending | undefined {
  return store.get().pending.find((p) => p.state === 'queued')
}

async function sendOne(p: Pending): Promise<void> {
  update(p.id, { state: 'sent' })
  try {
    const payload = { expectedVersion: head(), edits: p.edits }
    const outcome = await designer<Outcome>('apply_edits', store.get().connection, { payload, options: { atomic: true } })
    if (!outcome.success && outcome.reason === 'stale_state') await again(p)
    else if (outcome.success) settle(p, outcome)
    else refuse(p, outcome)
  } catch (cause) {
    if (cause instanceof Offline) update(p.id, { state: 'queued' }) // sent again, and rebased, once there is a connection
    else refuse(p, refusal('internal_error', cause instanceof Error ? cause.message : 'the edit failed'))
  }
}

// again reads the design as it is now, and queues p once more if nobody has
// changed what it is about.
async function again(p: Pending): Promise<void> {
  await resync()
  const { confirmed } = store.get()
  const clashes = confirmed ? clashesOf(p.edits, p.seen, confirmed) : []
  if (clashes.length > 0) refuse(p, conflict(clashes))
  else update(p.id, { state: 'queued' })
}

function clashesOf(edits: readonly Edit[], seen: Design, now: Design): Clash[] {
  return edits.map((e) => clash(e, seen, now)).filter((c) => c !== null)
}

function conflict(clashes: Clash[]): Conflict {
  return { ...refusal('conflict', notDone(clashes)), clashes }
}

function notDone(clashes: readonly Clash[]): string {
  const [first] = clashes
  return `Not done: ${first?.what ?? ''} has changed meanwhile (${first?.theirs ?? ''}). Look at it and decide again.`
}

function settle(p: Pending, outcome: Extract<Outcome, { success: true }>): void {
  update(p.id, { state: 'settled', version: outcome.version })
  answer(p.id, outcome)
  const { confirmed } = store.get()
  const before = heard
  heard = []
  if (confirmed && before.includes(outcome.version)) confirm(confirmed, outcome.version)
  else setTimeout(() => void catchUp(p.id), 3_000)
}

// catchUp reads the design again if the event of a settled edit was lost.
async function catchUp(id: number): Promise<void> {
  if (store.get().pending.some((p) => p.id === id)) await resync()
}

function refuse(p: Pending, outcome: Outcome): void {
  store.set((s) => {
    const pending = s.pending.filter((other) => other.id !== p.id)
    return { pending, ...displayed(s.confirmed, pending) }
  })
  answer(p.id, outcome)
  heard = []
}

function update(id: number, change: Partial<Pending>): void {
  store.set((s) => ({ pending: s.pending.map((p) => (p.id === id ? { ...p, ...change } : p)) }))
}

function answer(id: number, outcome: Outcome): void {
  waiting.get(id)?.(outcome)
  waiting.delete(id)
}

export function refusal(reason: string, message: string): Refusal {
  return { success: false, reason, message }
}

// whenThere waits for a table that was just made to have the instance's id.
export function whenThere(schema: string, name: string): Promise<Table | undefined> {
  const there = (): Table | undefined => {
    const { confirmed } = store.get()
    return confirmed ? findTable(confirmed, schema, name) : undefined
  }
  return new Promise((done) => {
    const look = (): void => {
      const table = there()
      if (!table && unconfirmed()) return
      stop()
      done(table)
    }
    const stop = store.subscribe(look)
    look()
  })
}

function unconfirmed(): boolean {
  return store.get().pending.length > 0
}

let refused = 0 // the toast that says so

// editAloud is edit for gestures without a form: a refusal becomes a toast, which
// leaves with the next edit that is made, and a conflict a question.
export async function editAloud(edits: Edit[], seen: Design | null = null): Promise<Outcome> {
  const outcome = await edit(edits, seen)
  if (asked(edits, outcome)) return outcome
  closeToast(refused)
  if (!outcome.success) refused = toast('bad', outcome.message)
  else for (const warning of outcome.receipt.warnings.slice(0, 2)) toast('warn', warning)
  return outcome
}

// asked puts both sides to the person where an edit was refused because others
// have changed the same. It reports whether it was.
export function asked(edits: Edit[], outcome: Outcome): boolean {
  if (outcome.success || !('clashes' in outcome)) return false
  const { clashes } = outcome as Conflict
  store.set((s) => ({ clashes: [...s.clashes, { id: nextId(), edits, items: clashes }] }))
  return true
}
