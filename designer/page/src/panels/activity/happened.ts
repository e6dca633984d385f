import type { Happened, History, Id, Origin } from '../../api/types'
import { describe, whoDid, type Where } from '../../store/activity'
import type { Activity } from '../../store/state'
import { batchesOf, tablesOf, titleOfBatch, type Batch } from './history'

export const shown = 200 // steps
export const kept = 10_000 // steps, all that there can be

// Happening is a line of the list of activity.
export interface Happening {
  key: string
  at: number // milliseconds since 1970
  origin: Origin
  who: string
  text: string
  tables: Id[]
}

// happened joins what this page has seen happen with what it has not, such as
// what was from before it was loaded: what the instance has kept, and the steps
// of the history. The newest is first.
export function happened(seen: readonly Activity[], history: History | null, design: Where): Happening[] {
  const events = new Set(seen.map((a) => a.seq))
  const kept = (history?.happened ?? []).filter((h) => !events.has(h.seq))
  const known = new Set([...seen, ...kept].filter((a) => a.type !== 'undone' && a.type !== 'redone').map((a) => a.batchId))
  const missed = (list: History['undo']): Batch[] => batchesOf(list).filter((b) => !known.has(b.steps[0]?.batchId))
  const lines: Happening[] = [
    ...seen.map((a) => ({ ...a, key: String(a.id) })),
    ...kept.map((h) => lineOfKept(h, design)),
    ...missed(history?.redo ?? []).map((b) => lineOf(b, true)),
    ...missed(history?.undo ?? []).map((b) => lineOf(b, false)),
  ]
  return lines.sort((a, b) => b.at - a.at)
}

function lineOfKept(h: Happened, design: Where): Happening {
  const origin = h.origin ?? 'database'
  return { key: `event ${h.seq}`, at: Date.parse(h.at), origin, who: whoDid(origin, h.client, h.author), text: describe(h, design), tables: h.tables ?? [] }
}

function lineOf(batch: Batch, undone: boolean): Happening {
  const [first] = batch.steps
  return {
    key: batch.key,
    at: Date.parse(batch.at),
    origin: batch.origin,
    who: whoDid(batch.origin, first?.client, first?.author),
    text: titleOfBatch(batch) + (undone ? ' (undone since)' : ''),
    tables: tablesOf(batch),
  }
}
