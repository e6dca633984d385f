import { describe, expect, it } from 'vitest'
import type { HistoryStep, Table } from '../api/types'
import { reviewing } from '../store/review'
import { noFilter, type Filter } from '../store/state'
import { column, design, key, table } from '../test/designs'
import { overlaps, rectsOf } from './geometry'
import { ghostsOf } from './ghosts'
import { droppedFrom } from './ReviewFlag'

const last = {} as HistoryStep
const customer = table('c', 'Customer', [column('c1', 'Id')])
const log = table('x', 'Log', [column('x1', 'Id')])
const orders = table('o', 'Orders', [column('o1', 'Id'), column('o2', 'CustomerId')], { foreignKeys: [key('fk', 'o2', 'c', 'c1')] })
const now = design(customer, log)

const shown = (places: Record<string, { x: number; y: number }>, filter: Partial<Filter> = {}, of = now) =>
  ghostsOf({ connection: 'main', design: of, filter: { ...noFilter, ...filter }, reviewing: reviewing('main', { version: 'v', count: 1, tables: [{ id: 'o', before: orders, last }], types: [] }) }, places)

describe('a table that the agent dropped', () => {
  const standing = { c: { x: 1000, y: 0 }, x: { x: 3000, y: 0 } }

  it('is where it lay, while nothing else stands there', () => {
    expect(shown({ ...standing, o: { x: 40, y: 50 } })).toMatchObject([{ table: orders, x: 40, y: 50 }])
    const [moved] = shown({ ...standing, o: { x: 1010, y: 10 } })
    expect(moved && rectsOf(now.tables.values(), standing).some((r) => overlaps(r, moved))).toBe(false)
  })

  it('is beside what it was related to, if nobody knows where it lay', () => {
    const [ghost] = shown(standing)
    expect(ghost && Math.hypot(ghost.x - 1000, ghost.y)).toBeLessThan(700)
  })

  it('is not there where the canvas would not show it, or once it is back', () => {
    expect(shown(standing, { hidden: new Set(['o']) })).toEqual([])
    expect(shown(standing, { view: { id: '', tables: new Set(['c']) } })).toEqual([])
    expect(shown(standing, { around: { table: 'c', distance: 1 } })).toHaveLength(1)
    expect(shown(standing, {}, design(customer, log, orders))).toEqual([])
  })
})

it('columns that the agent dropped are those that neither side has now', () => {
  const names = (of: { before?: Table; after?: Table }, there: Table) => droppedFrom({ id: 'o', ...of, last }, there).map((c) => c.name)
  const after = { ...orders, columns: orders.columns.slice(0, 1) }
  expect(names({ before: orders, after }, after)).toEqual(['CustomerId'])
  expect(names({ before: orders, after }, orders)).toEqual([]) // undone, and not yet read again
  expect(names({ before: orders, after: orders }, after)).toEqual([]) // a person's
  expect(names({ before: orders }, orders)).toEqual([])
})
