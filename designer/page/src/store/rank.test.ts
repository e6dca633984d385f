import { beforeEach, describe, expect, it } from 'vitest'
import { filtered, isFiltered } from '../canvas/filter'
import { showAll, showRanked } from '../canvas/showing'
import { column, design, key, table } from '../test/designs'
import type { Design } from './design'
import { firstFilter, rankedOf } from './rank'
import { initial, noFilter, store } from './state'

// Table n refers to table 0 if it is one of the first, and to the one before it
// if it is even: the others have no relation.
function large(tables: number, related: number, order = (n: number): number => n): Design {
  const all = Array.from({ length: tables }, (_, i) => i).map(order)
  const ref = (n: number, to: number): ReturnType<typeof key> => key(`k${n} ${to}`, `c${n}`, `t${to}`, `c${to}`)
  return design(
    ...all.map((n) => table(`t${n}`, `t${String(n).padStart(4, '0')}`, [column(`c${n}`, 'id')], n > 0 && n < related ? { foreignKeys: [ref(n, 0), ...(n % 2 === 0 ? [ref(n, n - 1)] : [])] } : {})),
  )
}

beforeEach(() => {
  localStorage.clear()
  store.set({ ...initial, projectRoot: '/p', connection: 'main' })
})

describe('the first view of a large design', () => {
  it('has the tables with most relations, whatever the order in which they come', () => {
    const shown = (d: Design): string[] => filtered(d, { ...noFilter, ranked: rankedOf(d) }).map((t) => t.id).sort()
    const first = shown(large(400, 121))
    expect(first).toHaveLength(60)
    expect(first).toContain('t0')
    expect(first).toContain('t1')
    expect(first).not.toContain('t120') // as many relations as t58, and a later name
    expect(first).not.toContain('t300')
    expect(shown(large(400, 121, (n) => (n * 7) % 400))).toEqual(first)
  })

  it('has no more than what is related', () => {
    expect(rankedOf(large(400, 31))?.most).toBe(31)
    expect(rankedOf(large(400, 19))).toBeNull() // the rank says nothing
  })

  it('is all of a small one', () => {
    expect(rankedOf(large(150, 150))).toBeNull()
    expect(rankedOf(large(151, 151))).not.toBeNull()
  })

  it('shows what comes later', () => {
    const before = large(200, 200)
    const filter = firstFilter(before)
    const after = design(...before.tables.values(), table('new', 'new', [column('n', 'id')]))
    expect(filtered(after, filter)).toHaveLength(61)
    expect(isFiltered(after, filter)).toBe(true)
  })

  it('is all if a person wanted that, until they do not any more', () => {
    const d = large(200, 200)
    store.set({ design: d })
    showAll()
    expect(firstFilter(d)).toBe(noFilter)
    store.set({ connection: 'other' })
    expect(firstFilter(d).ranked).not.toBeNull()
    store.set({ connection: 'main' })
    showRanked()
    expect(store.get().filter.ranked?.most).toBe(60)
    expect(firstFilter(d).ranked).not.toBeNull()
  })
})
