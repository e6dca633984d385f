import { beforeEach, describe, expect, it, vi } from 'vitest'
import { removing } from '../canvas/removing'
import { provideView } from '../canvas/view'
import { initial, noFilter, store } from '../store/state'
import { shop } from '../test/designs'
import { placed, stepTo } from '../ui/menuKeys'
import { menuOf } from './entries'
import { closeMenu, menus, watchMenus } from './opening'
import { targetOf, type Target } from './target'

const page = `
  <div class="plane">
    <div class="react-flow__pane"></div>
    <svg><g class="edge" data-of="o" data-key="fk" tabindex="-1"><path class="hit"/></g></svg>
    <div class="table" data-table="c" tabindex="0"><div class="head"></div><div data-table="c" data-column="c2"><span class="name">Mail</span></div></div>
    <div data-item="n"><div class="item-body"></div></div>
    <div data-table="o"><input type="text"></div>
    <div class="minimap"></div>
  </div>
  <div class="dock"><div class="actions"><button>Edit</button></div></div>
  <div class="outline-rows"><div role="tree" tabindex="0">
    <div role="treeitem" class="outline-row" data-row="c"><span class="outline-name">Customer</span></div>
    <div role="treeitem" class="outline-row active" data-row="schema main" aria-expanded="true"><span class="outline-name">main</span></div>
  </div></div>
  <ul><li class="view-row" data-view="v"><button class="view-name">Billing</button></li></ul>
  <header><button>Elsewhere</button></header>`
const find = (selector: string): Element => document.querySelector(selector) ?? document.body
const target = (selector: string): Target | null => targetOf(find(selector), { x: 3, y: 4 })
const tests = (of: Target): string[] => menuOf(of, store.get()).sections.flatMap((s) => s.choices.map((c) => c.test))
const run = (of: Target, test: string): void => menuOf(of, store.get()).sections.flatMap((s) => s.choices).find((c) => c.test === test)?.run()

beforeEach(() => {
  document.body.innerHTML = page
  closeMenu()
  removing.set({ removal: null, seen: null })
  store.set({ ...initial, design: shop(), items: {} })
  provideView({ reveal: vi.fn(), pan: vi.fn(), focus: vi.fn(), look: vi.fn(), fit: vi.fn(), arrange: vi.fn(), zoom: () => 1, toCanvas: ({ x, y }) => ({ x: x * 10, y: y * 10 }), middle: () => ({ x: 0, y: 0 }) })
})

describe('what a menu is of', () => {
  it('is what stands where somebody pressed', () => {
    expect(target('.hit')).toEqual({ kind: 'relation', table: 'o', key: 'fk' })
    expect(target('.head')).toEqual({ kind: 'tables', ids: ['c'] })
    expect(target('.name')).toEqual({ kind: 'column', table: 'c', column: 'c2' })
    expect(target('.item-body')).toEqual({ kind: 'item', id: 'n' })
    expect(target('.react-flow__pane')).toEqual({ kind: 'canvas', at: { x: 3, y: 4 } })
    expect(target('[data-row=c] .outline-name')).toEqual({ kind: 'row', key: 'c' })
    expect(target('.view-name')).toEqual({ kind: 'view', id: 'v' })
    expect(target('[role=tree]')).toEqual({ kind: 'row', key: 'schema main' })
    expect([target('header button'), target('.minimap')]).toEqual([null, null])
  })

  it('is all that is selected, where that is pressed', () => {
    store.set({ selected: new Set(['c', 'o']) })
    for (const selector of ['.head', '.name', '.actions button', 'body']) expect(target(selector), selector).toEqual({ kind: 'tables', ids: ['c', 'o'] })
    store.set({ selected: new Set(['x', 'o']) })
    expect(target('.head')).toEqual({ kind: 'tables', ids: ['c'] })
    store.set({ selected: new Set(), selectedKey: { table: 'o', key: 'fk' } })
    expect(target('body')).toEqual({ kind: 'relation', table: 'o', key: 'fk' })
  })
})

describe('what it offers', () => {
  it('is what the thing has elsewhere', () => {
    expect(tests({ kind: 'tables', ids: ['c'] })).toEqual(expect.arrayContaining(['edit-table', 'rename-table', 'copy', 'hide-table', 'drop-table']))
    expect(tests({ kind: 'tables', ids: ['c', 'o'] })).toEqual(['link-tables', 'only-these', 'area-around', 'hide-tables', 'collapse', 'copy', 'drop-tables'])
    expect(tests({ kind: 'column', table: 'o', column: 'o2' })).toEqual(expect.arrayContaining(['edit-column', 'rename-column', 'edit-relation-Customer', 'go-to-Customer', 'drop-column', 'edit-table']))
    expect(tests({ kind: 'relation', table: 'o', key: 'fk' })).toEqual(['edit-relation', 'go-to-parent', 'go-to-child', 'delete-relation'])
    expect(tests({ kind: 'row', key: 'c' })).toEqual(expect.arrayContaining(['press-row', 'related-only', 'hide-table', 'edit-table', 'drop-table']))
    store.set({ views: [{ id: 'v', name: 'Billing', tables: {} }] })
    expect(tests({ kind: 'view', id: 'v' })).toEqual(['show-view', 'rename-view', 'remove-view'])
    expect(tests({ kind: 'canvas', at: null })).not.toContain('show-all')
  })

  it('is nothing of what is gone', () => {
    for (const gone of [{ kind: 'tables', ids: ['?'] }, { kind: 'column', table: 'c', column: '?' }, { kind: 'relation', table: 'o', key: '?' }, { kind: 'item', id: '?' }, { kind: 'row', key: '?' }, { kind: 'view', id: '?' }] satisfies Target[]) expect(tests(gone), gone.kind).toEqual([])
  })

  it('is done by what does it elsewhere', () => {
    run({ kind: 'relation', table: 'o', key: 'fk' }, 'delete-relation')
    expect(removing.get().removal).toEqual({ kind: 'key', table: 'o', key: 'fk' })
    run({ kind: 'column', table: 'c', column: 'c2' }, 'edit-column')
    expect(store.get().form).toEqual({ kind: 'table', table: 'c', column: 'c2' })
    run({ kind: 'canvas', at: { x: 3, y: 4 } }, 'table')
    expect(store.get().form).toEqual({ kind: 'table', table: null, at: { x: 30, y: 40 } })
    store.set({ filter: { ...noFilter, hidden: new Set(['c']) } })
    expect(tests({ kind: 'row', key: 'c' })).toContain('show-table')
    run({ kind: 'canvas', at: null }, 'show-all')
    expect(store.get().filter.hidden.size).toBe(0)
  })
})

describe('asking for a menu', () => {
  const ask = (selector: string): boolean => !find(selector).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 5, clientY: 6 }))
  const watched = (then: () => void): void => {
    const stop = watchMenus()
    then()
    stop()
  }

  it('selects what it is of, and leaves fields and the rest to the browser', () => {
    watched(() => {
      expect([ask('input'), ask('header button')]).toEqual([false, false])
      expect(menus.get().opened).toBeNull()
      expect(ask('.head')).toBe(true)
      expect([...store.get().selected]).toEqual(['c'])
      expect(menus.get().opened).toMatchObject({ at: { x: 5, y: 6 }, target: { kind: 'tables' } })
      expect(ask('.hit')).toBe(true)
      expect(store.get().selectedKey).toEqual({ table: 'o', key: 'fk' })
    })
    expect(ask('.head')).toBe(false)
  })

  it('is done by a long press of a finger, not by one that moves', () => {
    vi.useFakeTimers()
    const pointer = (kind: string, x: number): boolean => find('.head').dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: 'touch', isPrimary: true, clientX: x, clientY: 5 }))
    watched(() => {
      pointer('pointerdown', 5)
      pointer('pointermove', 40)
      vi.advanceTimersByTime(1000)
      expect(menus.get().opened).toBeNull()
      pointer('pointerdown', 5)
      vi.advanceTimersByTime(1000)
      expect(menus.get().opened?.target).toEqual({ kind: 'tables', ids: ['c'] })
    })
    vi.useRealTimers()
  })

  it('is done by Shift+F10 and the Menu key, once though a browser asks too', () => {
    watched(() => {
      const edge = find('.edge') as SVGElement
      edge.focus()
      edge.dispatchEvent(new KeyboardEvent('keydown', { key: 'F10', shiftKey: true, bubbles: true, cancelable: true }))
      expect(menus.get().opened).toMatchObject({ target: { kind: 'relation', key: 'fk' }, back: edge })
      const first = menus.get().opened
      expect(ask('.head')).toBe(true)
      expect(menus.get().opened).toBe(first)
      find('.head').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse', isPrimary: true }))
      ask('.head')
      expect(menus.get().opened?.target).toEqual({ kind: 'tables', ids: ['c'] }) // a press of its own
    })
  })
})

it('a menu stays within the window', () => {
  const [menu, room] = [{ width: 200, height: 300 }, { width: 1000, height: 700 }]
  expect(placed({ x: 50, y: 60 }, menu, room, false)).toEqual({ left: 50, top: 60 })
  expect(placed({ x: 950, y: 650 }, menu, room, false)).toEqual({ left: 750, top: 350 })
  expect(placed({ x: 50, y: 600 }, menu, room, true)).toEqual({ left: 50, top: 300 })
  expect(placed({ x: 100, y: 100 }, { width: 380, height: 900 }, { width: 390, height: 400 }, false)).toEqual({ left: 8, top: 8 })
})

it('its keys go round', () => {
  expect(['ArrowDown', 'ArrowUp', 'Home', 'End', 'x'].map((k) => stepTo(k, 2, 3))).toEqual([0, 1, 0, 2, null])
  expect(stepTo('ArrowDown', -1, 0)).toBeNull()
})
