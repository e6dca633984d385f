import type { History, HistoryStep } from '../../api/types'
import type { Verdict } from '../lib/api'

// Stepping through what the agent did. A step is named by its number and its
// batch, since a number is used again after an undo.

export type Marks = Readonly<Record<string, Verdict>>

export interface Item {
  key: string
  step: HistoryStep
  verdict: Verdict | null
  place: number // within its batch, from 1
  batch: number // how many the batch has
}

export function keyOf(step: Pick<HistoryStep, 'step' | 'batchId'>): string {
  return `${step.step} ${step.batchId}`
}

// itemsOf lists the agent's steps that are in the design, oldest first.
export function itemsOf(history: Pick<History, 'undo'>, marks: Marks): Item[] {
  const steps = history.undo.filter((s) => s.origin === 'agent').sort((a, b) => a.step - b.step)
  const sizes = new Map<string, number>()
  const items = steps.map((step): Item => {
    const place = (sizes.get(step.batchId) ?? 0) + 1
    sizes.set(step.batchId, place)
    return { key: keyOf(step), step, verdict: marks[keyOf(step)] ?? null, place, batch: 0 }
  })
  return items.map((item) => ({ ...item, batch: sizes.get(item.step.batchId) ?? 1 }))
}

export function openCount(items: readonly Item[]): number {
  return items.filter((i) => i.verdict === null).length
}

// placeOf finds the item that was looked at, or where to begin.
export function placeOf(items: readonly Item[], key: string | null): number {
  const at = items.findIndex((i) => i.key === key)
  if (at >= 0) return at
  const open = items.findIndex((i) => i.verdict === null)
  return open >= 0 ? open : items.length - 1
}

// afterVerdict is where to go once the item at `at` is decided: the next open
// one, also from the beginning again; the same where none is open.
export function afterVerdict(items: readonly Item[], at: number): number {
  for (let i = 1; i < items.length; i++) {
    const next = (at + i) % items.length
    if (items[next]?.verdict === null) return next
  }
  return at
}

// withMarks sets the verdict of some steps and forgets those of steps that are
// no longer there, so that the document does not grow.
export function withMarks(marks: Marks, history: Pick<History, 'undo' | 'redo'>, keys: readonly string[], verdict: Verdict | null): Marks {
  const known = new Set([...history.undo, ...history.redo].map(keyOf))
  const next: Record<string, Verdict> = {}
  for (const [key, value] of Object.entries(marks)) if (known.has(key) && !keys.includes(key)) next[key] = value
  if (verdict) for (const key of keys) next[key] = verdict
  return next
}
