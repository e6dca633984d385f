import type { Approval } from '../../api/types'

// The queue of plans that wait for a person, as the page holds it.

export interface Queue {
  entries: readonly Approval[] // those that wait first, oldest first; then the others, newest first
  deciding: ReadonlyMap<string, 'approve' | 'reject'>
  loaded: boolean
  error: string
}

export type Happening =
  | { kind: 'read'; entries: readonly Approval[] }
  | { kind: 'failed'; error: string }
  | { kind: 'deciding'; id: string; decision: 'approve' | 'reject' }
  | { kind: 'decided'; entry: Approval }
  | { kind: 'refused'; id: string } // by the instance; the list is read again

export const emptyQueue: Queue = { entries: [], deciding: new Map(), loaded: false, error: '' }

export function reduce(queue: Queue, happening: Happening): Queue {
  switch (happening.kind) {
    case 'read':
      return { ...queue, entries: sorted(happening.entries), loaded: true, error: '' }
    case 'failed':
      return { ...queue, error: happening.error }
    case 'deciding':
      return { ...queue, deciding: new Map(queue.deciding).set(happening.id, happening.decision) }
    case 'decided': {
      const { entry } = happening
      const entries = queue.entries.some((e) => e.id === entry.id) ? queue.entries.map((e) => (e.id === entry.id ? entry : e)) : queue.entries
      return { ...queue, entries: sorted(entries), deciding: without(queue.deciding, entry.id) }
    }
    case 'refused':
      return { ...queue, deciding: without(queue.deciding, happening.id) }
  }
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const next = new Map(map)
  next.delete(key)
  return next
}

function sorted(entries: readonly Approval[]): Approval[] {
  const at = (e: Approval): number => Date.parse(e.created)
  const waiting = entries.filter((e) => e.state === 'pending').sort((a, b) => at(a) - at(b))
  const over = entries.filter((e) => e.state !== 'pending').sort((a, b) => at(b) - at(a))
  return [...waiting, ...over]
}

// waiting returns what can still be decided: an entry past its time cannot,
// also before the instance has said so.
export function waiting(entry: Pick<Approval, 'state' | 'expires'>, now: number): boolean {
  return entry.state === 'pending' && Date.parse(entry.expires) > now
}

// pendingCount is the number in the tab and the window's title. The queue is
// read again when an entry expires, so its state is enough.
export function pendingCount(queue: Pick<Queue, 'entries'>): number {
  return queue.entries.filter((e) => e.state === 'pending').length
}

// arrived are the entries that wait now and were not known before.
export function arrived(before: Queue, after: Queue, now: number): Approval[] {
  if (!before.loaded) return []
  const known = new Set(before.entries.map((e) => e.id))
  return after.entries.filter((e) => !known.has(e.id) && waiting(e, now))
}

// nameToType is what a person types before they approve what loses data; ''
// where a press is enough. The instance says it, and holds everybody to it.
export function nameToType(entry: Pick<Approval, 'nameToType'>): string {
  return entry.nameToType ?? ''
}

// armed is how long an entry has to have had the focus before its keys work,
// in milliseconds: who was typing elsewhere decides nothing.
export const armed = 600

export interface Press {
  key: string
  repeat: boolean
  modified: boolean // Ctrl, Alt or Cmd is held
  onEntry: boolean // the entry itself has the focus, not a part of it
  focusedFor: number // milliseconds
}

// decisionOf reads a key press on an entry, or null where it is none. What
// wants a name typed is not approved by a key.
export function decisionOf(press: Press, entry: Pick<Approval, 'state' | 'expires' | 'cut' | 'nameToType'>, now: number): 'approve' | 'reject' | null {
  if (press.repeat || press.modified || !press.onEntry || press.focusedFor < armed || !waiting(entry, now)) return null
  const key = press.key.toLowerCase()
  if (key === 'a') return entry.cut || nameToType(entry) ? null : 'approve'
  return key === 'r' ? 'reject' : null
}

export function pageTitle(pending: number, project: string): string {
  const name = project ? `berth · ${project}` : 'berth'
  return pending > 0 ? `(${pending}) ${name}` : name
}

export function nameOfProject(root: string): string {
  return root.split(/[\\/]/).findLast((part) => part !== '') ?? root
}
