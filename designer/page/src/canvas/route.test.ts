import { describe, expect, it } from 'vitest'
import { column, design, key, shop, table } from '../test/designs'
import { within } from './filter'
import { runsBy, sizeOf, type Rect } from './geometry'
import { folded } from './shorten'
import { region } from './region'
import { relationsOf } from './relations'
import { route } from './route'
import { search } from './SearchBox'

const wide = (id: string): number => sizeOf(shop().tables.get(id) ?? table('', '', [])).width

// meets reports whether a line ever turns or ends in a rectangle, or crosses it
// level or upright: its points, and the middles between them.
function meets(path: string, r: Rect): boolean {
  const ends = path.matchAll(/([MLHCQ])([-\d. ]+)/g)
  const points: { x: number; y: number }[] = []
  for (const [, kind, text = ''] of ends) {
    const numbers = text.trim().split(' ').map(Number)
    const last = points.at(-1) ?? { x: 0, y: 0 }
    points.push(kind === 'H' ? { x: numbers[0] ?? 0, y: last.y } : { x: numbers.at(-2) ?? 0, y: numbers.at(-1) ?? 0 })
  }
  const inside = (x: number, y: number): boolean => x > r.x && x < r.x + r.width && y > r.y && y < r.y + r.height
  return points.some((p, i) => {
    const q = points[i + 1] ?? p
    return Array.from({ length: 21 }, (_, k) => k / 20).some((t) => inside(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t))
  })
}

function line(at: { x: number; y: number }, refAt: { x: number; y: number }, others: (Rect & { id: string })[] = []) {
  const d = shop()
  const [orders, customer] = [d.tables.get('o'), d.tables.get('c')]
  const [relation] = orders ? relationsOf(orders) : []
  if (!orders || !customer || !relation) throw new Error('the shop has no relation')
  return route(relation, orders, at, customer, refAt, others)
}

describe('a relation', () => {
  it('leaves and arrives on the sides that face each other', () => {
    expect(line({ x: 0, y: 0 }, { x: 600, y: 0 }).path).toMatch(new RegExp(`^M${wide('o')} .*H600$`))
    expect(line({ x: 600, y: 0 }, { x: 0, y: 0 }).path).toMatch(new RegExp(`^M600 .*H${wide('c')}$`))
  })

  it('goes round a table that stands between', () => {
    const between = { id: 'z', x: 300, y: -40, width: 200, height: 200 }
    expect(meets(line({ x: 0, y: 0 }, { x: 800, y: 0 }).path, between)).toBe(true)
    expect(meets(line({ x: 0, y: 0 }, { x: 800, y: 0 }, [between]).path, between)).toBe(false)
    expect(line({ x: 0, y: 0 }, { x: 800, y: 0 }, [{ ...between, y: 500 }]).path).toBe(line({ x: 0, y: 0 }, { x: 800, y: 0 }).path)
  })

  it('is seen where it runs, and not in all of what it spans', () => {
    const { points } = line({ x: 0, y: 0 }, { x: 20_000, y: 20_000 })
    const seen = (x: number, y: number): boolean => runsBy(points, { x: x - 600, y: y - 400, width: 1200, height: 800 })
    expect([seen(0, 0), seen(10_000, 10_000), seen(20_000, 20_000)]).toEqual([true, true, true])
    expect([seen(18_000, 2_000), seen(2_000, 18_000), seen(10_000, 12_000)]).toEqual([false, false, false])
  })

  it('to its own table is a loop where both ends are in one row, and where the table is collapsed', () => {
    const t = table('a', 'A', [column('a1', 'Id'), column('a2', 'Parent')], { foreignKeys: [key('f', 'a2', 'a', 'a1'), key('g', 'a1', 'a', 'a1')] })
    const [other, same] = relationsOf(t)
    if (!other || !same) throw new Error('there are two')
    for (const [r, at] of [[other, { x: 0, y: 0, collapsed: true }], [same, { x: 0, y: 0 }]] as const) {
      const { points } = route(r, t, at, t, at)
      const rows = points.map(({ y }) => y)
      expect(Math.max(...rows) - Math.min(...rows)).toBeGreaterThan(8)
    }
  })

  it('shows that its column may be null, and that many rows may refer', () => {
    const drawn = line({ x: 0, y: 0 }, { x: 600, y: 0 })
    expect(drawn.circles).toHaveLength(2)
    expect(drawn.marks.match(/L/g)).toHaveLength(2)
  })

  it('from a unique column has no crow’s foot', () => {
    const t = table('a', 'A', [column('a1', 'Id')], { foreignKeys: [key('f', 'a1', 'b', 'b1')] })
    expect(relationsOf(t)[0]).toMatchObject({ single: true, optional: false })
  })
})

it('what is within a distance of relations is found either way', () => {
  expect([...within(shop(), 'c', 1)]).toEqual(['c', 'o'])
  expect([...within(shop(), 'x', 3)]).toEqual(['x'])
})

it('a small movement stays in the same region', () => {
  expect(region(3, 5, 1280, 800, 'full')).toBe(region(9, 12, 1280, 800, 'full'))
  expect(region(0, 0, 1280, 800, 'full')).not.toBe(region(900, 0, 1280, 800, 'full'))
})

it('search puts tables before columns and exact names first', () => {
  const d = design(table('1', 'OrderLine', [column('a', 'Id')]), table('2', 'Order', [column('b', 'OrderNo')]))
  expect(search(d, 'order').map((h) => h.title + (h.column && `.${h.column}`))).toEqual(['Order', 'OrderLine', 'Order.OrderNo'])
})

it('long names are folded where words meet', () => {
  expect(folded('order_line_history', 90, 60)).toEqual(['order_line_', 'history'])
  expect(folded('CustomerAddress', 70, 60)).toEqual(['Customer', 'Address'])
  expect(folded('CustomerAddress', 70, 20)).toBeNull()
})
