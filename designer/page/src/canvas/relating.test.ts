import { beforeEach, describe, expect, it, vi } from 'vitest'
import { initial, noFilter, store } from '../store/state'
import { column, design, key, table } from '../test/designs'
import { ofRelation, ofTable, ofTables } from './choices'
import { keysAt, nextRelation, targetOf } from './relating'
import { askToDropKey, removing } from './removing'
import { placeOfNext, provideView, putNext } from './view'

// An order refers to its customer and to the order before it, a bill to an order.
const shop = design(
  table('c', 'customer', [column('c1', 'id')]),
  table('o', 'orders', [column('o1', 'id'), column('o2', 'customer_id'), column('o3', 'before_id')], { foreignKeys: [key('oc', 'o2', 'c', 'c1'), key('oo', 'o3', 'o', 'o1')] }),
  table('b', 'bill', [column('b1', 'id'), column('b2', 'order_id')], { foreignKeys: [key('bo', 'b2', 'o', 'o1')] }),
)
const looked = vi.fn()
const focused = vi.fn()

beforeEach(() => {
  vi.clearAllMocks()
  removing.set({ removal: null, seen: null })
  store.set({ ...initial, design: shop })
  provideView({ reveal: vi.fn(), pan: vi.fn(), focus: focused, look: looked, fit: vi.fn(), arrange: vi.fn(), zoom: () => 1, toCanvas: (at) => at, middle: () => ({ x: 1, y: 2 }) })
})

describe('the relations of a table', () => {
  it('are its own, then those that refer to it, of tables that are shown', () => {
    expect(keysAt('o').map((k) => k.key)).toEqual(['oc', 'oo', 'bo'])
    expect(keysAt('c')).toEqual([{ table: 'o', key: 'oc' }])
    store.set({ filter: { ...noFilter, hidden: new Set(['b']) } })
    expect(keysAt('o').map((k) => k.key)).toEqual(['oc', 'oo'])
  })

  it('are gone through one by one, with both tables in view', () => {
    store.set({ selected: new Set(['o']) })
    const keys = Array.from({ length: 4 }, () => {
      nextRelation()
      return store.get().selectedKey?.key
    })
    expect(keys).toEqual(['oc', 'oo', 'bo', 'oc'])
    expect(store.get().selected.size).toBe(0)
    expect(looked.mock.calls[2]).toEqual([['b', 'o']])
  })

  it('are of the table that was selected since', () => {
    store.set({ selected: new Set(['o']) })
    nextRelation()
    store.set({ selected: new Set(['b']), selectedKey: null })
    nextRelation()
    expect(store.get().selectedKey).toEqual({ table: 'b', key: 'bo' })
  })

  it('are asked for in words where no table is selected', () => {
    nextRelation()
    expect(store.get().selectedKey).toBeNull()
    expect(store.get().toasts[0]?.text).toContain('Select a table first')
  })
})

it('arrows go round the relations that are drawn', () => {
  expect(['ArrowDown', 'ArrowRight', 'ArrowUp', 'Home', 'End', 'x'].map((k) => targetOf(k, 2, 3))).toEqual([0, 0, 1, 0, 2, null])
})

describe('what can be done with a relation', () => {
  const run = (test: string): void => ofRelation(shop, 'o', 'oc').find((c) => c.test === test)?.run()

  it('leads to either table', () => {
    run('go-to-parent')
    run('go-to-child')
    expect(focused.mock.calls).toEqual([['c'], ['o']])
  })

  it('opens its form, and asks before it is dropped', () => {
    run('edit-relation')
    expect(store.get().form).toEqual({ kind: 'relation', table: 'o', key: 'oc' })
    run('delete-relation')
    expect(removing.get().removal).toEqual({ kind: 'key', table: 'o', key: 'oc' })
  })

  it('is nothing once it is gone', () => {
    expect(ofRelation(shop, 'o', 'gone')).toEqual([])
    askToDropKey('o', 'gone')
    expect(removing.get().removal).toBeNull()
  })
})

it('what is done with one table and with several has names of its own', () => {
  const tests = [...ofTable('o'), ...ofTables(['o', 'c'], true), ...ofRelation(shop, 'o', 'oc')].map((c) => c.test)
  expect(new Set(tests).size).toBe(tests.length)
  expect(ofTables(['o', 'c', 'b'], false).map((c) => c.test)).toEqual(['only-these', 'hide-tables', 'drop-tables'])
})

it('a new table goes where it was asked for, else where one looks', () => {
  expect(placeOfNext()).toEqual({ x: 1, y: 2 })
  putNext({ x: 50, y: 60 })
  expect(placeOfNext()).toEqual({ x: 50, y: 60 })
  putNext(null)
  expect(placeOfNext()).toEqual({ x: 1, y: 2 })
})
