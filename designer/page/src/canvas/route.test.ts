import { describe, expect, it } from 'vitest'
import { column, design, key, shop, table } from '../test/designs'
import { within } from './filter'
import { fold } from './far'
import { region } from './region'
import { relationsOf } from './relations'
import { route } from './route'
import { search } from './SearchBox'

function line(at: { x: number; y: number }, refAt: { x: number; y: number }) {
  const d = shop()
  const [orders, customer] = [d.tables.get('o'), d.tables.get('c')]
  const [relation] = orders ? relationsOf(orders) : []
  if (!orders || !customer || !relation) throw new Error('the shop has no relation')
  return route(relation, orders, at, customer, refAt)
}

describe('a relation', () => {
  it('leaves and arrives on the sides that face each other', () => {
    expect(line({ x: 0, y: 0 }, { x: 600, y: 0 }).path).toMatch(/^M200 .*H600$/)
    expect(line({ x: 600, y: 0 }, { x: 0, y: 0 }).path).toMatch(/^M600 .*H200$/)
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
  expect(fold('order_line_history', 11)).toEqual(['order_line_', 'history'])
  expect(fold('CustomerAddress', 10)).toEqual(['Customer', 'Address'])
})
