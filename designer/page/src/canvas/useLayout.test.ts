import { beforeEach, expect, it, vi } from 'vitest'
import type { Id, Position } from '../api/types'
import { freshenLayout, hold, move, saveLayout } from '../store/layout'
import { initial, store } from '../store/state'
import { shop } from '../test/designs'
import { arrangeFirst } from './useLayout'
import { provideView } from './view'

const calls = vi.hoisted(() => ({
  arranged: vi.fn<() => Promise<Record<Id, Position>>>(),
  moved: vi.fn<(connection: string, positions: Record<Id, Position | null>) => Promise<void>>(),
  filled: vi.fn<(connection: string, positions: Record<Id, Position>) => Promise<{ positions: Record<Id, Position> }>>(),
  kept: vi.fn<() => Promise<{ positions: Record<Id, Position> }>>(),
}))
vi.mock('./arrange', () => ({ arrange: calls.arranged }))
vi.mock('../api/designs', () => ({ putLayout: calls.moved, fillLayout: calls.filled, getLayout: calls.kept }))

const simple = { c: { x: 0, y: 0 }, o: { x: 300, y: 0 }, x: { x: 600, y: 0 } }
const better = { c: { x: 0, y: 0 }, o: { x: 0, y: 200 }, x: { x: 0, y: 400 } }

beforeEach(() => {
  vi.useFakeTimers()
  calls.arranged.mockReset()
  calls.moved.mockReset().mockResolvedValue()
  calls.filled.mockReset().mockResolvedValue({ positions: {} })
  calls.kept.mockReset().mockResolvedValue({ positions: {} })
  store.set({ ...initial, connection: 'main', design: shop(), confirmed: shop(), online: true, layoutLoaded: true, positions: simple })
})

it('a design that nobody has laid out is arranged, and the instance keeps that', async () => {
  calls.arranged.mockResolvedValue(better)
  await arrangeFirst(shop(), simple)
  await vi.runAllTimersAsync()
  expect(store.get().positions).toEqual(better)
  expect(calls.filled).toHaveBeenCalledWith('main', better)
  expect(calls.moved).not.toHaveBeenCalled()
})

it('what is moved while it is being arranged stays, and the instance is told of all', async () => {
  calls.arranged.mockImplementation(() => {
    move({ c: { x: 50, y: 90 } })
    return Promise.resolve(better)
  })
  await arrangeFirst(shop(), simple)
  await vi.runAllTimersAsync()
  expect(store.get().positions).toEqual({ ...simple, c: { x: 50, y: 90 } })
  expect(calls.moved).toHaveBeenCalledWith('main', { c: { x: 50, y: 90 } })
  expect(calls.filled).toHaveBeenCalledWith('main', { o: simple.o, x: simple.x })
})

it.each(['pointerdown', 'keydown'])('nothing moves under the hand of somebody who has begun (%s)', async (kind) => {
  document.body.innerHTML = '<button></button><div class="canvas"><p></p></div>'
  const press = (where: string) => document.querySelector(where)?.dispatchEvent(new Event(kind, { bubbles: true }))
  calls.arranged.mockImplementation(() => {
    press('button') // beside the canvas
    return Promise.resolve(better)
  })
  await arrangeFirst(shop(), simple)
  expect(store.get().positions).toEqual(better)

  store.set({ positions: simple })
  calls.arranged.mockImplementation(() => {
    press('.canvas p')
    return Promise.resolve(better)
  })
  await arrangeFirst(shop(), simple)
  await vi.runAllTimersAsync()
  expect(store.get().positions).toEqual(simple)
  expect(calls.filled).toHaveBeenLastCalledWith('main', simple) // the next page sees the same
})

it('the table that the address names is in view after the arrangement', async () => {
  const reveal = vi.fn()
  const fit = vi.fn()
  provideView({ reveal, fit, pan: vi.fn(), focus: vi.fn(), look: vi.fn(), arrange: vi.fn(), zoom: () => 1, toCanvas: (at) => at, middle: () => ({ x: 0, y: 0 }) })
  calls.arranged.mockResolvedValue(better)
  await arrangeFirst(shop(), simple)
  expect(fit).toHaveBeenCalledOnce()
  store.set({ positions: simple, selected: new Set(['o']) })
  await arrangeFirst(shop(), simple)
  expect(reveal).toHaveBeenCalledWith(['o'])
  expect(fit).toHaveBeenCalledOnce()
  await vi.runAllTimersAsync()
  provideView(null)
})

it('a move before there is an arrangement tells the instance where all tables stand', async () => {
  hold(simple)
  await saveLayout()
  expect(calls.filled).not.toHaveBeenCalled()
  move({ c: { x: 50, y: 90 } })
  await vi.runAllTimersAsync()
  expect(calls.filled).toHaveBeenCalledWith('main', simple)
  expect(calls.moved).toHaveBeenCalledWith('main', { c: { x: 50, y: 90 } })
})

it('what another page has placed by then stays where that page put it', async () => {
  calls.arranged.mockResolvedValue(better)
  calls.filled.mockResolvedValue({ positions: { o: { x: 7, y: 7 } } })
  await arrangeFirst(shop(), simple)
  await vi.runAllTimersAsync()
  expect(store.get().positions).toEqual({ ...better, o: { x: 7, y: 7 } })
})

it('reading an empty layout again neither moves a table nor keeps the arrangement from coming', async () => {
  calls.arranged.mockImplementation(async () => {
    await freshenLayout()
    return better
  })
  await arrangeFirst(shop(), simple)
  expect(store.get().positions).toEqual(better)
})
