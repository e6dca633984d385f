import { describe, expect, it } from 'vitest'
import type { HistoryStep, Origin } from '../../api/types'
import { agentBatch, batchesOf, titleOfBatch } from './history'

function step(number: number, origin: Origin, batchId: string): HistoryStep {
  return { step: number, origin, batchId, at: '2026-11-21T10:00:00Z', description: `step ${number}` }
}

describe('the history', () => {
  const undo = [step(5, 'page', 'c'), step(4, 'agent', 'b'), step(3, 'agent', 'b'), step(2, 'page', ''), step(1, 'page', '')]

  it('puts the steps of one call together and knows how far undo has to go', () => {
    expect(batchesOf(undo).map((b) => [b.steps.length, b.reach])).toEqual([
      [1, 1],
      [2, 3],
      [1, 4],
      [1, 5],
    ])
  })

  it('names a call by its first step', () => {
    expect(batchesOf(undo).map(titleOfBatch)[1]).toBe('step 3 and 1 more')
  })

  it('finds the agent’s last call, whether or not it is what undo takes next', () => {
    expect(agentBatch({ undo })).toMatchObject({ next: false, batch: { reach: 3 } })
    expect(agentBatch({ undo: undo.slice(1) })?.next).toBe(true)
    expect(agentBatch({ undo: [step(1, 'page', 'x')] })).toBeNull()
  })
})
