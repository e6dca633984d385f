import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Position, Table } from '../api/types'
import { initial, noFilter, store } from '../store/state'
import { column, design, key, shop, table } from '../test/designs'
import { moveTables } from './moving'
import { unhide } from './showing'
import { fillSpread, placesOf, spreadFirst, spreadOut } from './spread'

// Arranging is the worker's; here it puts tables in a row.
vi.mock('./arrange', () => ({
  roomy: {},
  arrange: (_: unknown, tables: readonly Table[]): Promise<Record<string, Position>> => Promise.resolve(Object.fromEntries(tables.map((t, i) => [t.id, { x: i * 500, y: 0 }]))),
}))

const far = { c: { x: 0, y: 0 }, o: { x: 9000, y: 9000 }, x: { x: -5000, y: 0 } }
const near = { table: 'c', distance: 1 }

beforeEach(() => store.set({ ...initial, design: shop(), positions: far, filter: { ...noFilter, around: near } }))

describe('a view of what is near', () => {
  it('is arranged for itself, and the layout stays', async () => {
    expect(placesOf(store.get())).toBe(far)
    expect(await spreadOut()).toBe(true)
    expect(placesOf(store.get())).toMatchObject({ c: { x: 0, y: 0 }, o: { x: 500, y: 0 } })
    expect(store.get().positions).toBe(far)
    store.set({ filter: noFilter })
    expect(placesOf(store.get())).toBe(far)
  })

  it('is the same object until something moves', async () => {
    await spreadOut()
    expect(placesOf(store.get())).toBe(placesOf(store.get()))
  })

  it('is not shown once another is asked for', async () => {
    const arranging = spreadOut()
    store.set({ filter: { ...noFilter, around: { table: 'x', distance: 1 } } })
    expect(await arranging).toBe(false)
    expect(placesOf(store.get())).toBe(far)
  })

  it('takes moves that the layout does not', async () => {
    await spreadOut()
    moveTables({ o: { x: 7, y: 7 } })
    expect(placesOf(store.get())['o']).toEqual({ x: 7, y: 7 })
    expect(store.get().positions).toBe(far)
    expect(store.get().moves).toEqual([])
  })

  it('has room for what is asked for, and for what comes to be near', async () => {
    await spreadOut()
    unhide(['x'])
    const at = placesOf(store.get())['x']
    expect(at).not.toEqual(far.x)
    const more = table('n', 'New', [column('n1', 'Id')], { foreignKeys: [key('fn', 'n1', 'c', 'c1')] })
    store.set({ design: design(...shop().tables.values(), more), positions: { ...far, n: { x: 1, y: 1 } } })
    fillSpread()
    expect(placesOf(store.get())['n']).not.toEqual({ x: 1, y: 1 })
    expect(placesOf(store.get())['x']).toEqual(at)
  })

  it('has places at once for what a large design begins with, and better ones a moment later', async () => {
    store.set({ filter: { ...noFilter, ranked: { most: 2, rest: new Set(['x']) } } })
    const spreading = spreadFirst()
    const begun = placesOf(store.get())
    expect(begun['o']).not.toEqual(begun['c'])
    expect(begun['o']).not.toEqual(far.o)
    await spreading
    expect(placesOf(store.get())).toMatchObject({ c: { x: 0, y: 0 }, o: { x: 500, y: 0 }, x: far.x })
  })

  it('keeps the places of a large design from under a hand', async () => {
    store.set({ filter: { ...noFilter, ranked: { most: 2, rest: new Set(['x']) } } })
    const spreading = spreadFirst()
    moveTables({ o: { x: 7, y: 7 } })
    await spreading
    expect(placesOf(store.get())['o']).toEqual({ x: 7, y: 7 })
  })
})
