import ELK from 'elkjs/lib/elk.bundled.js'
import { describe, expect, it } from 'vitest'
import type { Item, Items } from '../../api/items'
import type { Position, Table } from '../../api/types'
import { column, design, key, table } from '../../test/designs'
import { graphFor, type placed } from '../arrange'
import { overlaps, rectsOf, sizeOf, type Rect } from '../geometry'
import type { Positions } from '../placement'
import { cleared } from './clear'
import { liesIn, type Moved } from './items'
import { settle } from './settle'

// elk itself, without the worker.
const elk = new ELK()
const lay: typeof placed = async (boxes, pairs, corner, more) => {
  const { children = [] } = await elk.layout(graphFor(boxes, pairs, more))
  return Object.fromEntries(children.map((c) => [c.id, { x: corner.x + (c.x ?? 0), y: corner.y + (c.y ?? 0) }]))
}

const area = (more: Partial<Item> = {}): Item => ({ kind: 'area', text: 'Sales', colour: 'blue', x: 0, y: 0, width: 500, height: 500, ...more })
const note = (more: Partial<Item> = {}): Item => area({ kind: 'note', width: 160, height: 80, ...more })

// Twenty tables in a grid, each of which refers to one before it.
const tables = Array.from({ length: 20 }, (_, i): Table => {
  const [id, to] = [`t${i}`, Math.floor((i * 7) / 11)]
  return table(id, id, [column(`${id}.id`, 'id'), column(`${id}.ref`, 'ref')], to < i ? { foreignKeys: [key(`k${i}`, `${id}.ref`, `t${to}`, `t${to}.id`)] } : {})
})
const all = design(...tables)
const at: Positions = Object.fromEntries(tables.map((t, i) => [t.id, { x: (i % 5) * 220, y: Math.floor(i / 5) * 130 }]))

async function settling(items: Items, shown = tables): Promise<{ moved: Moved; rects: Map<string, Rect>; items: Record<string, Item> }> {
  const moved = await settle(all, { shown, hidden: tables.filter((t) => !shown.includes(t)), positions: at, items }, {}, lay)
  const rects = new Map(rectsOf(tables, { ...at, ...moved.tables }).map(({ id, ...r }) => [id, r]))
  return { moved, rects, items: { ...items, ...moved.items } }
}

function apart(rects: readonly Rect[]): void {
  for (const [i, a] of rects.entries()) for (const b of rects.slice(i + 1)) expect(overlaps(a, b), `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(false)
}

const ids = (rects: ReadonlyMap<string, Rect>, within: Rect): string[] => [...rects].flatMap(([id, r]) => (liesIn(r, within) ? [id] : []))
const holds = (outer: Rect, r: Rect): boolean => r.x >= outer.x && r.y >= outer.y && r.x + r.width <= outer.x + outer.width && r.y + r.height <= outer.y + outer.height
const some = (found: Rect | undefined): Rect => found ?? { x: 0, y: 0, width: 0, height: 0 }

describe('arranging among areas', { timeout: 60_000 }, () => {
  it('keeps in each area the tables that lay in it, and nothing overlaps', async () => {
    const before = { a: area({ x: -10, y: -40, width: 430, height: 300 }), b: area({ x: 640, y: 220, width: 470, height: 260 }) }
    const were = new Map(rectsOf(tables, at).map(({ id, ...r }) => [id, r]))
    const { rects, items } = await settling(before)
    for (const id of ['a', 'b'] as const) {
      const [ground, own] = [some(items[id]), ids(were, before[id])]
      expect(own.length).toBeGreaterThan(2)
      expect(ids(rects, ground)).toEqual(own)
      for (const t of own) expect(holds(ground, some(rects.get(t)))).toBe(true)
    }
    apart([...rects.values()])
    const outside = [...rects].flatMap(([id, r]) => (['a', 'b'] as const).some((a) => ids(were, before[a]).includes(id)) ? [] : [r])
    apart([some(items['a']), some(items['b']), ...outside])
  })

  it('grows an area, and makes none smaller', async () => {
    const { items } = await settling({ a: area({ x: -10, y: -10, width: 640, height: 200 }), wide: area({ x: 5_000, width: 900 }) })
    expect(items['a']?.height).toBeGreaterThan(200)
    expect(items['wide']).toMatchObject({ width: 900, height: 500 })
  })

  it('keeps an area within the one that it lay in, with its tables', async () => {
    const before = { outer: area({ x: -20, y: -20, width: 900, height: 600 }), inner: area({ x: 0, y: 0, width: 420, height: 300 }) }
    const { rects, items } = await settling(before)
    expect(holds(some(items['outer']), some(items['inner']))).toBe(true)
    expect(ids(rects, some(items['inner']))).toEqual(ids(new Map(rectsOf(tables, at).map((r) => [r.id, r])), before.inner))
    const beside = tables.flatMap((t) => (ids(rects, some(items['inner'])).includes(t.id) ? [] : [some(rects.get(t.id))]))
    apart([some(items['inner']), ...beside])
  })

  it('leaves notes where they are, on the canvas and in their area', async () => {
    const before = { n: note({ x: 700, y: 200 }), a: area({ x: -10, y: -40, width: 430, height: 300 }), inside: note({ x: 100, y: 60 }) }
    const { moved, rects, items } = await settling(before)
    expect(moved.items['n']).toBeUndefined()
    const [a, inside] = [some(items['a']), some(items['inside'])]
    expect([inside.x - a.x, inside.y - a.y]).toEqual([110, 100])
    apart([...rects.values(), before.n, inside])
  })

  it('takes along what a filter hides in an area, and leaves the rest of it', async () => {
    const shown = tables.slice(5)
    const before = { a: area({ x: -10, y: -10, width: 430, height: 300 }) }
    const { moved, rects, items } = await settling(before, shown)
    expect(ids(rects, some(items['a']))).toEqual(expect.arrayContaining(['t0', 't1']))
    expect(moved.tables['t4']).toBeUndefined()
  })

  it('begins at the corner where all of it began', async () => {
    const { rects, items } = await settling({ a: area({ x: -300, y: -200, width: 700, height: 500 }) })
    const grounds = [...rects.values(), some(items['a'])]
    expect([Math.min(...grounds.map((r) => r.x)), Math.min(...grounds.map((r) => r.y))].map((n) => n >= -300 && n < -150)).toEqual([true, true])
  })
})

describe('room for notes', () => {
  it('is made without anything coming to overlap', () => {
    const rects = tables.map((t) => ({ ...(at[t.id] as Position), ...sizeOf(t) }))
    const notes = [note({ x: 300, y: 150 }), note({ x: 330, y: 260 }), note({ x: 0, y: 900 })]
    const clear = cleared(rects, notes)
    apart(clear)
    for (const n of notes) for (const r of clear) expect(overlaps(r, n)).toBe(false)
    expect(cleared(rects, notes.slice(2))).toEqual(rects)
  })
})
