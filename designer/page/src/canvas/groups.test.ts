import { describe, expect, it } from 'vitest'
import type { Table } from '../api/types'
import type { Design } from '../store/design'
import { column, design, key, table } from '../test/designs'
import { graphOf } from './arrange'
import { groupsOf } from './groups'

const clique = (names: string[]): [string, string][] => names.flatMap((a, i) => names.slice(i + 1).map((b): [string, string] => [a, b]))

describe('groups', () => {
  it('keep together what is related most', () => {
    const [left, right] = [['a', 'b', 'c', 'd'], ['w', 'x', 'y', 'z']]
    const { together, alone } = groupsOf([...left, ...right, 'lonely'], [...clique(left), ...clique(right), ['d', 'w']], 40)
    expect(together.map((g) => g.sort())).toEqual(expect.arrayContaining([left, right]))
    expect(together).toHaveLength(2)
    expect(alone).toEqual(['lonely'])
  })

  it('have no more tables than they may', () => {
    const names = Array.from({ length: 12 }, (_, i) => `t${i}`)
    const { together } = groupsOf(names, clique(names), 5)
    expect(Math.max(...together.map((g) => g.length))).toBeLessThanOrEqual(5)
    expect(together.flat().sort()).toEqual([...names].sort())
  })
})

describe('the graph to arrange', () => {
  const chained = (i: number): Table => {
    const columns = [column(`${i}id`, 'id'), column(`${i}ref`, 'ref')]
    return table(`t${i}`, `t${i}`, columns, i % 10 ? { foreignKeys: [key(`k${i}`, `${i}ref`, `t${i - 1}`, `${i - 1}id`)] } : {})
  }
  const many = (n: number): Design => design(...Array.from({ length: n }, (_, i) => chained(i)))

  it('is one of all tables where they are few', () => {
    const d = many(50)
    expect(graphOf(d, [...d.tables.values()]).children?.map((c) => c.id)).toEqual([...d.tables.keys()])
  })

  it('has every table once, in groups, where they are many', () => {
    const d = many(300)
    const groups = graphOf(d, [...d.tables.values()]).children ?? []
    expect(groups.length).toBeGreaterThan(5)
    expect(groups.flatMap((g) => g.children?.map((c) => c.id) ?? []).sort()).toEqual([...d.tables.keys()].sort())
  })
})
