import { describe, expect, it } from 'vitest'
import type { HistoryStep, Origin } from '../../api/types'
import { afterVerdict, itemsOf, keyOf, openCount, placeOf, withMarks, type Marks } from './review'

function step(number: number, origin: Origin, batchId: string): HistoryStep {
  return { step: number, origin, batchId, at: '2026-11-21T10:00:00Z', description: `step ${number}` }
}

// As the instance lists them: the newest first.
const undo = [step(5, 'agent', 'b'), step(4, 'page', 'p'), step(3, 'agent', 'a'), step(2, 'agent', 'a'), step(1, 'page', 'q')]

describe('a review', () => {
  it('steps through what the agent did, oldest first, and through nothing else', () => {
    expect(itemsOf({ undo }, {}).map((i) => [i.step.step, i.place, i.batch])).toEqual([
      [2, 1, 2],
      [3, 2, 2],
      [5, 1, 1],
    ])
  })

  it('begins at the first that nobody has looked at', () => {
    const items = itemsOf({ undo }, { '2 a': 'kept' })
    expect(placeOf(items, null)).toBe(1)
    expect(openCount(items)).toBe(2)
    expect(placeOf(items, '5 b')).toBe(2)
  })

  it('continues with the next open one, from the beginning again if need be', () => {
    const items = itemsOf({ undo }, { '3 a': 'kept', '5 b': 'kept' })
    expect(afterVerdict(items, 2)).toBe(0)
    expect(afterVerdict(itemsOf({ undo }, { '2 a': 'kept', '3 a': 'reverted', '5 b': 'kept' }), 1)).toBe(1)
  })

  it('does not take a new step for an old one of its number', () => {
    const items = itemsOf({ undo: [step(2, 'agent', 'later')] }, { '2 a': 'kept' })
    expect(items[0]?.verdict).toBeNull()
  })

  it('forgets the marks of steps that are gone, and keeps those that redo could bring back', () => {
    const marks: Marks = { '2 a': 'kept', '9 x': 'kept', '7 r': 'reverted' }
    const redo = [step(7, 'agent', 'r')]
    expect(withMarks(marks, { undo, redo }, [keyOf(step(5, 'agent', 'b'))], 'kept')).toEqual({ '2 a': 'kept', '7 r': 'reverted', '5 b': 'kept' })
    expect(withMarks(marks, { undo, redo }, ['2 a'], null)).toEqual({ '7 r': 'reverted' })
  })
})
