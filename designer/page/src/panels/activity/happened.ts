import type { History, Id, Origin } from '../../api/types'
import { whoDid } from '../../store/activity'
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

// happened joins what this page has seen happen with the steps of the history
// that it has not, such as those from before it was loaded. The newest is first.
export function happened(seen: readonly Activity[], history: History | null): Happening[] {
  const known = new Set(seen.filter((a) => a.type !== 'undone' && a.type !== 'redone').map((a) => a.batchId))
  const missed = (list: History['undo']): Batch[] => batchesOf(list).filter((b) => !known.has(b.steps[0]?.batchId))
  const lines: Happening[] = [
    ...seen.map((a) => ({ ...a, key: String(a.id) })),
    ...missed(history?.redo ?? []).map((b) => lineOf(b, true)),
    ...missed(history?.undo ?? []).map((b) => lineOf(b, false)),
  ]
  return lines.sort((a, b) => b.at - a.at)
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
