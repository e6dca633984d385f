import { describe, expect, it } from 'vitest'
import type { Id } from '../api/types'
import { noFilter, type Filter } from '../store/state'
import { column, design, key, table } from '../test/designs'
import { filtered, isFiltered, letThrough } from './filter'

// a ← b ← c ← d, and e alone in a schema of its own.
const chain = design(
  ...['a', 'b', 'c', 'd'].map((id, i, all) => table(id, id, [column(`${id}1`, 'id')], i > 0 ? { foreignKeys: [key(`k${id}`, `${id}1`, all[i - 1] ?? '', `${all[i - 1]}1`)] } : {})),
  table('e', 'e', [column('e1', 'id')], { schema: 'other' }),
)

const shown = (filter: Partial<Filter>, of = chain): Id[] => filtered(of, { ...noFilter, ...filter }).map((t) => t.id)

describe('a filter', () => {
  it('shows a table and what is so many steps away', () => {
    expect(shown({ around: { table: 'a', distance: 1 } })).toEqual(['a', 'b'])
    expect(shown({ around: { table: 'a', distance: 3 } })).toEqual(['a', 'b', 'c', 'd'])
  })

  it('hides tables one by one', () => {
    expect(shown({ hidden: new Set(['b', 'e']) })).toEqual(['a', 'c', 'd'])
    expect(isFiltered(chain, { ...noFilter, hidden: new Set(['b']) })).toBe(true)
    expect(isFiltered(chain, { ...noFilter, hidden: new Set(['gone']) })).toBe(false)
  })

  it('lets through what is asked for by name, and nothing else', () => {
    const near: Filter = { ...noFilter, around: { table: 'a', distance: 1 }, hidden: new Set(['b', 'd']) }
    const asked = letThrough(chain, near, ['d', 'e'])
    expect(shown(asked)).toEqual(['a', 'd', 'e'])
    expect(asked.hidden).toEqual(new Set(['b']))
    expect(shown({ ...asked, hidden: new Set(['e']) })).toEqual(['a', 'b', 'd'])
  })

  it('hides nothing around a table that is no more', () => {
    const rest = design(...[...chain.tables.values()].filter((t) => t.id !== 'e'))
    expect(shown({ around: { table: 'e', distance: 1 } }, rest)).toHaveLength(4)
    expect(isFiltered(rest, { ...noFilter, around: { table: 'e', distance: 1 } })).toBe(false)
  })
})
