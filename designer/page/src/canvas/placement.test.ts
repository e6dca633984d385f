import { describe, expect, it } from 'vitest'
import { column, design, key, shop, table } from '../test/designs'
import { overlaps, rectsOf } from './geometry'
import { grid, place } from './placement'

const many = (n: number) => design(...Array.from({ length: n }, (_, i) => table(`t${i}`, `Table${i}`, Array.from({ length: 1 + (i % 15) }, (_, c) => column(`c${i}.${c}`, `Column${c}`)))))

function overlapping(d: ReturnType<typeof design>, positions: Record<string, { x: number; y: number }>): string[] {
  const rects = rectsOf(d.tables.values(), positions)
  return rects.flatMap((a, i) => rects.slice(i + 1).flatMap((b) => (overlaps(a, b) ? [`${a.id} ${b.id}`] : [])))
}

describe('placing tables', () => {
  it('leaves those alone that have a place', () => {
    const d = shop()
    expect(place(d, { c: { x: 0, y: 0 }, o: { x: 5, y: 900 }, x: { x: 700, y: 0 } }, { x: 0, y: 0 })).toEqual({})
    expect(Object.keys(place(d, { c: { x: 0, y: 0 }, o: { x: 5, y: 900 } }, { x: 0, y: 0 }))).toEqual(['x'])
  })

  it('puts a new one beside what it is related to, and on nothing', () => {
    const d = shop()
    const positions = { c: { x: 1000, y: 1000 }, x: { x: 1300, y: 1000 } }
    const at = place(d, positions, { x: -5000, y: -5000 })
    expect(overlapping(d, { ...positions, ...at })).toEqual([])
    expect(Math.hypot((at['o']?.x ?? 0) - 1000, (at['o']?.y ?? 0) - 1000)).toBeLessThan(700)
  })

  it('puts one without relations where the person looks', () => {
    const d = shop()
    const at = place(d, { c: { x: 0, y: 0 }, o: { x: 0, y: 400 } }, { x: 3000, y: 3000 })
    expect(at['x']).toEqual({ x: 3000, y: 3000 })
  })

  it('leaves one that has only been begun room for its columns', () => {
    const [old, begun] = [table('old', 'Old', [column('k', 'Id')]), table('new', 'New', [column('n', 'Id')])]
    const positions = { old: { x: 0, y: 160 } }
    const at = place(design(old, begun), positions, { x: 0, y: 0 })
    const grown = table('new', 'New', Array.from({ length: 8 }, (_, i) => column(`n${i}`, `Column${i}`)))
    expect(overlapping(design(old, grown), { ...positions, ...at })).toEqual([])
  })

  it('finds room for many at once in the middle of a crowd', () => {
    const d = many(150)
    const positions = grid([...d.tables.values()].slice(0, 100))
    const at = place(d, positions, { x: 500, y: 500 })
    expect(Object.keys(at)).toHaveLength(50)
    expect(overlapping(d, { ...positions, ...at })).toEqual([])
  })

  it('of a whole design at first overlaps nowhere', () => {
    const d = many(200)
    const at = place(d, {}, { x: 0, y: 0 })
    expect(Object.keys(at)).toHaveLength(200)
    expect(overlapping(d, at)).toEqual([])
  })

  it('follows relations among the new ones', () => {
    const d = design(
      table('a', 'A', [column('a1', 'Id')]),
      table('b', 'B', [column('b1', 'Id'), column('b2', 'AId')], { foreignKeys: [key('f', 'b2', 'a', 'a1')] }),
      table('z', 'Z', [column('z1', 'Id'), column('z2', 'BId')], { foreignKeys: [key('g', 'z2', 'b', 'b1')] }),
    )
    const at = place(d, { a: { x: 0, y: 0 } }, { x: 9000, y: 9000 })
    expect(at['b']?.x).toBeLessThan(1000)
    expect(at['z']?.x).toBeLessThan(2000)
  })
})
