import type { Entry, PresenceList } from '../api/presence'
import type { Id } from '../api/types'
import { createStore } from './store'

// Who is here, as this page last heard it.

export interface Known {
  list: PresenceList | null // null: not heard yet
  at: number // when, in milliseconds since 1970
  now: number // what ages are counted from, not much behind the clock
}

export const presence = createStore<Known>({ list: null, at: 0, now: 0 })

// page tells this tab from others.
export const page = [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, '0')).join('')

// others are all that are here but this page.
export function others({ list }: Known): Entry[] {
  return (list?.here ?? []).filter((e) => !(e.kind === 'page' && e.id === page && e.team === undefined))
}

// fresh is how long an agent's call counts as looking at its table, in
// milliseconds.
const fresh = 60_000

// atTable are those who are at a table of a design just now.
export function atTable(known: Known, connection: string, table: Id): Entry[] {
  return others(known).filter(
    (e) => e.connection === connection && e.table?.id === table && !e.away && (e.kind !== 'agent' || e.running === true || heard(e, known, known.now) < fresh),
  )
}

// heard is how long ago an entry was last heard of, in milliseconds.
export function heard(entry: Entry, known: Known, now: number): number {
  return entry.heardMs + Math.max(0, now - known.at)
}
