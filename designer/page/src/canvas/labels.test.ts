import { describe, expect, it } from 'vitest'
import type { Table } from '../api/types'
import { column, key, table } from '../test/designs'
import { overlaps, rectsOf } from './geometry'
import { groundOf, labelsOf } from './labels'
import { textWidth } from './measure'
import { grid } from './placement'
import { chopped, shortTitles } from './shorten'

// Five houses of a company of theatres, forty tables each.
const names = ('country city address venue stage seat_category seat person customer membership_plan membership employee department employment_contract playwright play ' +
  'translation role season production casting rehearsal rehearsal_attendance performance price_list price performance_price_list sales_channel ticket_order ticket ' +
  'refund voucher supplier costume prop lighting_cue equipment equipment_maintenance_schedule_exception press_review audit_entry').split(' ')
const houses = ['athens', 'bergen', 'helsinki', 'oslo', 'riga']

const tables = houses.flatMap((house) =>
  names.map((name, i): Table => {
    const id = `${house}_${name}`
    const to = [Math.floor((i * 5) / 7), Math.floor((i * 2) / 5)].filter((n, j, all) => n < i && all.indexOf(n) === j)
    const columns = Array.from({ length: 3 + ((i * 7) % 9) }, (_, c) => column(`${id}.${c}`, `some_column_${c}`))
    return table(id, id, columns, { foreignKeys: to.map((n, k) => key(`${id}.f${k}`, `${id}.${k + 1}`, `${house}_${names[n]}`, `${house}_${names[n]}.0`)) })
  }),
)

const screen = { width: 1216, height: 675 }
const short = shortTitles(tables.map((t) => t.id))
const rects = rectsOf(tables, grid(tables)).map((r) => ({ ...r, title: r.id, short: short.get(r.id) ?? r.id }))

// seen looks at the middle of the design.
function seen(zoom: number) {
  const right = Math.max(...rects.map((r) => r.x + r.width))
  const bottom = Math.max(...rects.map((r) => r.y + r.height))
  const v = { x: screen.width / 2 - (right / 2) * zoom, y: screen.height / 2 - (bottom / 2) * zoom, zoom, ...screen }
  const boxes = rects.map((r) => ({ id: r.id, x: r.x * zoom + v.x, y: r.y * zoom + v.y, width: r.width * zoom, height: r.height * zoom }))
  const inView = boxes.filter((b) => overlaps({ ...b, x: b.x + b.width / 2, y: b.y + b.height / 2, width: 0, height: 0 }, { x: 0, y: 0, ...screen }))
  return { labels: labelsOf(rects, v), boxes, inView }
}

// drawn are the shares of the tables in view whose name is drawn, beside all
// other tables, and whole.
function drawn(zoom: number) {
  const { labels, boxes, inView } = seen(zoom)
  const ids = new Set(inView.map((b) => b.id))
  const written = labels.filter((l) => ids.has(l.title)).map((l) => ({ ...l, ground: groundOf(l, { x: 0, y: 0 }) }))
  const part = (some: readonly unknown[]): number => Math.floor((100 * some.length) / inView.length) / 100
  const beside = written.filter(({ title, ground }) => !boxes.some((b) => b.id !== title && overlaps(b, ground)))
  const grounds = labels.map((l) => groundOf(l, { x: 0, y: 0 }))
  const crossed = grounds.filter((g, i) => grounds.some((h, j) => j !== i && overlaps(g, h)))
  return { named: part(written), beside: part(beside), whole: part(written.filter((l) => l.rows.join('') === l.title)), crossed: crossed.length }
}

// The shares were found to be these; before names were shortened 0.05, 0.16, 0.44
// and 1 were drawn, those that did not fit across neighbours.
const found = [
  { zoom: 0.05, named: 0.06, beside: 0, whole: 0.05 },
  { zoom: 0.1, named: 0.77, beside: 0.77, whole: 0 },
  { zoom: 0.13, named: 1, beside: 1, whole: 0.08 },
  { zoom: 0.2, named: 1, beside: 1, whole: 0.51 },
  { zoom: 0.4, named: 1, beside: 1, whole: 1 },
]

describe('names of 200 tables', () => {
  it.each(found)('are drawn at $zoom: at least $named of those in view, $beside beside all others, $whole whole', ({ zoom, ...least }) => {
    const shares = drawn(zoom)
    expect(shares.crossed, 'names that cross others').toBe(0)
    for (const part of ['named', 'beside', 'whole'] as const) expect(shares[part], part).toBeGreaterThanOrEqual(least[part])
  })

  it('are without what many begin with, where they do not fit', () => {
    const titles = ['oslo_play', 'oslo_price', 'oslo_price_list', 'oslo_role', 'riga_play', 'oslo']
    expect([...shortTitles(titles).values()]).toEqual(['play', 'price', 'price_list', 'role', 'riga_play', 'oslo'])
  })

  it('are cut with an ellipsis, or left out where too little would be left', () => {
    const em = textWidth('m', 9, true)
    expect(chopped('performance', 5 * em, 2, 9)).toEqual(['perfo', 'rma…'])
    expect(chopped('performance', 9 * em, 2, 9)).toEqual(['performan', 'ce'])
    expect(chopped('performance', 3 * em, 1, 9)).toBeNull()
    expect(chopped('performance', 9 * em, 0, 9)).toBeNull()
    expect(chopped('', 9 * em, 1, 9)).toBeNull()
  })
})
