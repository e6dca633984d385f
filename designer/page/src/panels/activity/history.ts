import type { History, HistoryStep, Id, Origin } from '../../api/types'

// The past of a design as a person thinks of it: calls, each of one or more
// steps.

export interface Batch {
  key: string
  origin: Origin
  at: string
  steps: HistoryStep[] // in the order of the list that they are from
  reach: number // how many steps lead past this batch from now
}

// batchesOf groups neighbours of one batch. list is in the order in which undo
// or redo would take the steps.
export function batchesOf(list: readonly HistoryStep[]): Batch[] {
  const out: Batch[] = []
  list.forEach((step, i) => {
    const last = out.at(-1)
    if (last && step.batchId !== '' && last.steps[0]?.batchId === step.batchId) {
      last.steps.push(step)
      last.reach = i + 1
    } else out.push({ key: `${step.step} ${step.batchId}`, origin: step.origin, at: step.at, steps: [step], reach: i + 1 })
  })
  return out
}

export function tablesOf(batch: Batch): Id[] {
  return [...new Set(batch.steps.flatMap((s) => (s.tables ?? []).map((t) => t.id)))]
}

// agentBatch is the agent's newest batch, and whether it is what undo would
// take next.
export function agentBatch(history: Pick<History, 'undo'>): { batch: Batch; next: boolean } | null {
  const batches = batchesOf(history.undo)
  const at = batches.findIndex((b) => b.origin === 'agent')
  const batch = batches[at]
  return batch ? { batch, next: at === 0 } : null
}

export function titleOfBatch({ steps }: Batch): string {
  const oldest = steps.reduce((a, b) => (a.step < b.step ? a : b))
  return steps.length === 1 ? oldest.description : `${oldest.description} and ${steps.length - 1} more`
}
