import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SavedView } from '../api/views'
import { initial, noFilter, store } from '../store/state'
import { firstView, keepOpen, shownAs } from '../store/views'
import { column, design, shop, table } from '../test/designs'
import { filtered } from './filter'
import { moveTables } from './moving'
import { hide, unhide } from './showing'
import { placesOf } from './spread'
import { follow } from './useOpenView'
import { matches, openView, removeView, renameView } from './viewing'

const kept = vi.hoisted(() => ({ put: vi.fn(), get: vi.fn() }))
vi.mock('../api/views', () => ({ putView: kept.put, getViews: kept.get }))

const laid = { c: { x: 0, y: 0 }, o: { x: 500, y: 0 }, x: { x: 0, y: 500 } }
const view: SavedView = { id: 'v', name: 'Sales', tables: { c: { x: 7, y: 7 }, o: { x: 70, y: 70 }, gone: { x: 1, y: 1 } } }
const shown = (): string[] => {
  const { design: d, filter } = store.get()
  return d ? filtered(d, filter).map((t) => t.id) : []
}

beforeEach(() => {
  localStorage.clear()
  store.set({ ...initial, projectRoot: '/p', connection: 'main', design: shop(), positions: laid, layoutLoaded: true, views: [view] })
})

describe('a saved view', () => {
  it('shows its tables where it has them, and the layout stays', () => {
    openView(view)
    expect(shown()).toEqual(['c', 'o'])
    expect(placesOf(store.get())).toMatchObject({ c: { x: 7, y: 7 }, o: { x: 70, y: 70 } })
    expect(store.get().positions).toBe(laid)
    expect(matches(view, store.get())).toBe(true)
  })

  it('has a table again that was dropped once it is back', () => {
    openView(view)
    store.set({ design: design(...shop().tables.values(), table('gone', 'Gone', [column('g', 'id')])) })
    expect(shown()).toEqual(['c', 'o', 'gone'])
    expect(placesOf(store.get())['gone']).toEqual({ x: 1, y: 1 })
    expect(matches(view, store.get())).toBe(true)
  })

  it('is changed by what is moved, hidden or shown in it', () => {
    for (const change of [() => moveTables({ c: { x: 9, y: 7 } }), () => hide(['o']), () => unhide(['x'])]) {
      openView(view)
      change()
      expect(matches(view, store.get())).toBe(false)
    }
    openView(view)
    expect(matches(view, store.get())).toBe(true)
    expect(store.get().positions).toBe(laid)
  })

  it('is open again next time, in the same browser and design', () => {
    const d = shop()
    expect(firstView(d, [view])).toEqual({ filter: noFilter, spread: null })
    keepOpen('v')
    expect(firstView(d, [view])).toEqual(shownAs(view))
    expect(firstView(d, []).filter).toEqual(noFilter) // it was removed meanwhile
    expect(firstView(d, null).filter).toEqual(noFilter) // the instance is older and keeps none
    store.set({ connection: 'other' })
    expect(firstView(d, [view]).filter).toEqual(noFilter)
  })

  it('follows what another page makes of it, and asks where something was made of it here too', () => {
    const theirs: SavedView = { ...view, tables: { c: { x: 1, y: 1 } } }
    openView(view)
    follow(view, theirs, store.get())
    expect(shown()).toEqual(['c'])
    openView(view)
    moveTables({ c: { x: 9, y: 9 } })
    follow(view, { ...view, name: 'Shop', tables: { ...view.tables } }, store.get()) // a name is no such thing
    expect(store.get().toasts).toEqual([])
    follow(view, theirs, store.get())
    expect(placesOf(store.get())['c']).toEqual({ x: 9, y: 9 })
    expect(store.get().toasts.map((t) => t.action?.label)).toEqual(['Show theirs'])
    follow(view, undefined, store.get()) // it was removed: what is shown stays
    expect(placesOf(store.get())['c']).toEqual({ x: 9, y: 9 })
    expect(store.get().filter.view?.id).toBe('')
  })
})

describe('a change of a view that is being removed', () => {
  it('waits for the removal, and is not sent', async () => {
    kept.put.mockImplementation(() => new Promise((done) => setTimeout(() => done({ id: 'v' }))))
    kept.get.mockResolvedValue({ views: [] })
    const [, , wrong] = await Promise.all([removeView(view), removeView(view), renameView('v', 'Stock')])
    expect(kept.put.mock.calls).toEqual([['main', { id: 'v', remove: true }]])
    expect(store.get().toasts.map((t) => t.text)).toEqual(['Removed the view Sales.'])
    expect(wrong).toContain('the view was removed')
  })
})
