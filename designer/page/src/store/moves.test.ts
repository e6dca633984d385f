import { beforeEach, expect, it, vi } from 'vitest'
import { shop } from '../test/designs'
import { moveAsStep, redoMove, undoMove } from './moves'
import { initial, store } from './state'

const at = (x: number) => ({ x, y: 0 })
const where = (id: string) => store.get().positions[id]?.x
const steps = (undoSteps: number, redoSteps = 0): void => store.set({ confirmed: { ...shop(), undoSteps, redoSteps } })

beforeEach(() => {
  vi.useFakeTimers()
  const design = shop()
  store.set({ ...initial, confirmed: design, design, positions: { c: at(0), o: at(100) } })
})

function later(): void {
  vi.advanceTimersByTime(2_000)
}

it('what was done to the layout and to the design is taken back in the order in which it was done', () => {
  moveAsStep({ c: at(10) })
  steps(1)
  later()
  moveAsStep({ c: at(20) })
  expect(undoMove()).toBe(true)
  expect(where('c')).toBe(10)
  expect(undoMove()).toBe(false) // the design's step came later than the first
  steps(0, 1)
  expect(undoMove()).toBe(true)
  expect(where('c')).toBe(0)
  expect(undoMove()).toBe(false)
  expect(redoMove()).toBe(true)
  expect(where('c')).toBe(10)
  expect(redoMove()).toBe(false) // the design comes first
  steps(1)
  expect(redoMove()).toBe(true)
  expect(where('c')).toBe(20)
})

it('one drag is one step', () => {
  for (const x of [1, 2, 3]) moveAsStep({ c: at(x) }, true)
  later()
  moveAsStep({ c: at(4) }, false)
  expect(undoMove()).toBe(true)
  expect(where('c')).toBe(0)
})

it('what somebody else has moved since stays where they put it', () => {
  moveAsStep({ c: at(10), o: at(110) })
  store.set({ positions: { c: at(10), o: at(500) } })
  expect(undoMove()).toBe(true)
  expect([where('c'), where('o')]).toEqual([0, 500])
})

it('a move of what is gone is passed over', () => {
  moveAsStep({ c: at(10) })
  later()
  moveAsStep({ gone: at(1) })
  expect(undoMove()).toBe(true)
  expect(where('c')).toBe(0)
})
