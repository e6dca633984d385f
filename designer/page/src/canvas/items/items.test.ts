import { beforeEach, describe, expect, it, vi } from 'vitest'
import { least, most, type Item } from '../../api/items'
import { initial, noFilter, store } from '../../store/state'
import { redoMove, undoMove } from '../../store/moves'
import { shownAs } from '../../store/views'
import { shop } from '../../test/designs'
import { matches } from '../viewing'
import { addArea, areaAround, begin, paint, remove, shift, write } from './changing'
import { allShown, inLayers, itemsOf, resized, within } from './items'

vi.mock('../../api/items', async (original) => ({ ...(await original<object>()), putItems: () => Promise.resolve() }))

const item = (more: Partial<Item> = {}): Item => ({ kind: 'area', text: 'Sales', colour: 'blue', x: -50, y: -50, width: 400, height: 400, ...more })
const laid = { c: { x: 0, y: 0 }, o: { x: 500, y: 0 }, x: { x: 0, y: 900 } }
const shown = () => itemsOf(store.get())
const places = () => store.get().positions
const only = (): [string, Item] => Object.entries(shown())[0] ?? ['', item()]

beforeEach(() => {
  vi.useFakeTimers()
  const design = shop()
  store.set({ ...initial, connection: 'main', confirmed: design, design, positions: laid, layoutLoaded: true, items: {} })
})

describe('an area', () => {
  it('is made around tables, and takes along what lies in it', () => {
    areaAround(['c', 'o'])
    const [id, area] = only()
    expect(area).toMatchObject({ kind: 'area', text: 'Area 1', colour: 'blue' })
    expect([store.get().chosenItem, store.get().writing]).toEqual([id, id])
    expect(within(store.get(), id).tables).toEqual(['c', 'o'])
    shift(id, 24, 48)
    expect([places()['c'], places()['o'], places()['x']]).toEqual([{ x: 24, y: 48 }, { x: 524, y: 48 }, laid.x])
    expect(shown()[id]).toMatchObject({ x: area.x + 24, y: area.y + 48 })
  })

  it('takes along notes and areas that lie in it, and tables that are hidden', () => {
    const [small, note, other] = [item({ x: 0, y: 0, width: 100, height: 100 }), item({ kind: 'note', x: 100, y: 100, width: 200, height: 100 }), item({ x: 300 })]
    store.set({ items: { a: item(), small, note, other }, filter: { ...noFilter, hidden: new Set(['c']) } })
    expect(within(store.get(), 'a')).toEqual({ tables: ['c'], items: ['small', 'note'] })
    expect(within(store.get(), 'note')).toEqual({ tables: [], items: [] })
  })

  it('is one step for undo, with its tables', () => {
    store.set({ items: { a: item() } })
    const to = begin('a', null)
    for (const x of [5, 10]) to(x, 0, true)
    to(30, 0, false)
    expect([places()['c']?.x, shown()['a']?.x]).toEqual([30, -20])
    expect(undoMove()).toBe(true)
    expect([places()['c']?.x, shown()['a']?.x]).toEqual([0, -50])
    expect(redoMove()).toBe(true)
    expect([places()['c']?.x, shown()['a']?.x]).toEqual([30, -20])
  })

  it('that is removed comes back with undo, as it was', () => {
    store.set({ items: { a: item() } })
    vi.advanceTimersByTime(2_000)
    remove('a')
    expect(shown()).toEqual({})
    expect(undoMove()).toBe(true)
    expect(shown()).toEqual({ a: item() })
  })

  it('keeps its title where none is given, and what another page made of it stays', () => {
    store.set({ items: { a: item() } })
    write('a', '  ')
    expect(shown()['a']?.text).toBe('Sales')
    paint('a', 'red')
    store.set({ items: { a: item({ colour: 'green' }) } }) // by another page
    expect(undoMove()).toBe(false)
    expect(shown()['a']?.colour).toBe('green')
    paint('gone', 'red')
    expect(Object.keys(shown())).toEqual(['a'])
  })

  it('is refused where the canvas is full, and where the instance keeps none', () => {
    store.set({ items: Object.fromEntries(Array.from({ length: most.items }, (_, i) => [`i${i}`, item()])) })
    addArea({ x: 0, y: 0 })
    expect(Object.keys(shown())).toHaveLength(most.items)
    expect(store.get().toasts.map((t) => t.text)).toEqual(['The canvas holds at most 200 areas and notes; remove one first.'])
    store.set({ items: null })
    addArea({ x: 0, y: 0 })
    expect(shown()).toEqual({})
  })

  it('has borders that move, and no less than can be seen', () => {
    expect(resized(item(), [1, 1], 20, 30)).toMatchObject({ x: -50, y: -50, width: 420, height: 430 })
    expect(resized(item(), [-1, 0], 20, 30)).toMatchObject({ x: -30, y: -50, width: 380, height: 400 })
    expect(resized(item(), [-1, -1], 900, 900)).toMatchObject({ x: 350 - least.area.width, y: 350 - least.area.height, ...least.area })
  })
})

describe('areas and notes', () => {
  it('of a view are its own, and are kept with it', () => {
    store.set({ items: { layout: item() } })
    const view = { id: 'v', name: 'V', tables: { c: { x: 7, y: 7 } }, items: { a: item({ x: 0, y: 0 }) } }
    store.set({ views: [view], ...shownAs(view) })
    expect(Object.keys(shown())).toEqual(['a'])
    expect(matches(view, store.get())).toBe(true)
    shift('a', 10, 0)
    expect(matches(view, store.get())).toBe(false)
    expect(store.get().moves).toEqual([])
    expect(store.get().items).toEqual({ layout: item() })
    remove('a')
    expect(shown()).toEqual({})
    store.get().toasts[0]?.action?.run()
    expect(Object.keys(shown())).toEqual(['a'])
  })

  it('are drawn large areas first and notes last, and are part of what is fitted', () => {
    const items = { n: item({ kind: 'note', x: 3_000, width: 200 }), small: item({ width: 90 }), large: item() }
    expect(inLayers(items).map(([id]) => id)).toEqual(['large', 'small', 'n'])
    store.set({ items })
    expect(allShown(store.get())).toMatchObject({ x: -50, width: 3_250 })
  })

  it('are fitted where most of them lie, if they lie too far apart for one view', () => {
    store.set({ items: { small: item({ x: 0, width: 90 }), near: item({ x: 500, width: 90 }), away: item({ x: 900_000 }), farther: item({ x: -900_000 }) } })
    expect(allShown(store.get())).toMatchObject({ x: 0, width: 690 })
    store.set({ items: { away: item({ x: 59_990, width: 90 }), there: item({ x: 60_010, width: 90 }), small: item({ x: -70_000 }) }, design: null })
    expect(allShown(store.get())).toMatchObject({ x: 59_990, width: 110 })
  })
})
