import type { Item, Items } from '../../api/items'
import type { Id, Position } from '../../api/types'
import type { Design } from '../../store/design'
import type { Among } from '../among'
import { boxOf, pairsOf, placed, whileBusy, type Box, type Pairs } from '../arrange'
import { bounds, rectsOf, type Rect, type Size } from '../geometry'
import type { Positions } from '../placement'
import { cleared } from './clear'
import { pad, titleHeight, type Moved } from './items'
import { idsOf, plotsOf, type Plot } from './plots'

// Arranging where there are areas and notes: an area keeps what lies in it. Its
// tables are arranged among themselves, then it is one box among the others.

export function settle(design: Design, { shown, hidden, positions, items }: Among, more: Record<string, string> = {}, lay = placed): Promise<Moved> {
  const tables = [...shown, ...hidden]
  const whole = plotsOf(tables, positions, items)
  const away = new Set(hidden)
  whole.tables = whole.tables.filter((t) => !away.has(t))
  const corner = bounds([...rectsOf(whole.tables, positions), ...whole.areas.map(([, area]) => area)]) ?? { x: 0, y: 0 }
  const links = pairsOf(design, tables)
  return whileBusy(async () => changed(await settled(whole, corner, { links, positions, more, lay }), items))
}

interface Ways {
  links: Pairs // of all tables
  positions: Positions // before
  more: Record<string, string>
  lay: typeof placed
}

// Settled is where things come to lie, and how far they reach.
interface Settled extends Moved {
  reach: Position
}

async function settled(plot: Plot, corner: Position, ways: Ways): Promise<Settled> {
  const inner = new Map<string, { area: Item; size: Size; laid: Settled }>()
  for (const [id, area, within] of plot.areas) inner.set(id, await inArea(area, within, ways))
  const boxes: Box[] = [...plot.tables.map((t) => boxOf(t, ways.positions[t.id])), ...[...inner].map(([id, { size }]) => ({ id, ...size }))]
  const at = await ways.lay(boxes, between(plot, ways.links), corner, ways.more)
  const found = boxes.map((box) => ({ ...box, ...(at[box.id] ?? corner) }))
  const moved: Settled = { tables: {}, items: Object.fromEntries(plot.notes), reach: corner }
  const rects: Rect[] = plot.notes.map(([, note]) => note)
  for (const { id, x, y, ...size } of cleared(found, rects)) {
    rects.push({ x, y, ...size })
    const area = inner.get(id)
    if (!area) moved.tables[id] = { x, y }
    else {
      moved.items[id] = { ...area.area, x, y, ...size }
      take(moved, area.laid, { x, y })
    }
  }
  const all = bounds(rects)
  return all ? { ...moved, reach: { x: all.x + all.width, y: all.y + all.height } } : moved
}

// inArea settles what lies in an area, seen from its corner. It may grow, and
// gets no smaller than a person made it. Its notes stay where they were in it.
async function inArea(area: Item, { notes, ...plot }: Plot, ways: Ways): Promise<{ area: Item; size: Size; laid: Settled }> {
  const from = (at: number, corner: number): number => Math.max(0, at - corner)
  const kept = notes.map(([id, note]): [string, Item] => [id, { ...note, x: from(note.x, area.x), y: from(note.y, area.y) }])
  const laid = await settled({ ...plot, notes: kept }, { x: pad, y: pad + titleHeight }, ways)
  return { area, laid, size: { width: Math.max(area.width, Math.ceil(laid.reach.x) + pad), height: Math.max(area.height, Math.ceil(laid.reach.y) + pad) } }
}

function take(into: Moved, laid: Moved, { x, y }: Position): void {
  for (const [id, at] of Object.entries(laid.tables)) into.tables[id] = { x: at.x + x, y: at.y + y }
  for (const [id, item] of Object.entries(laid.items)) into.items[id] = { ...item, x: item.x + x, y: item.y + y }
}

// between are the relations of a plot's tables and areas: those of a table in
// an area are the area's.
function between(plot: Plot, links: Pairs): Pairs {
  const box = new Map<Id, Id>(plot.tables.map((t) => [t.id, t.id]))
  for (const [id, , within] of plot.areas) for (const table of idsOf(within)) box.set(table, id)
  const pairs = new Map<string, readonly [Id, Id]>()
  for (const [a, b] of links) {
    const [from, to] = [box.get(a), box.get(b)]
    if (from !== undefined && to !== undefined && from !== to) pairs.set(`${from} ${to}`, [from, to])
  }
  return [...pairs.values()]
}

// changed leaves out the areas and notes that lie where they did.
function changed({ tables, items }: Moved, before: Items): Moved {
  const differs = ([id, item]: [string, Item]): boolean => {
    const was = before[id]
    return !was || was.x !== item.x || was.y !== item.y || was.width !== item.width || was.height !== item.height
  }
  return { tables, items: Object.fromEntries(Object.entries(items).filter(differs)) }
}
