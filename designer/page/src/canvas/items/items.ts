import { least, type Item, type Items } from '../../api/items'
import type { Id, Position } from '../../api/types'
import type { State } from '../../store/state'
import { filtered } from '../filter'
import { bounds, crowd, rectsOf, type Rect } from '../geometry'
import { isSpread, placesOf } from '../spread'

// Areas and notes: what lies where. An area is behind the tables, a note before
// them.

const none: Items = {}

// itemsOf are the areas and notes that the canvas shows: the layout's, or those
// of a view that is arranged for itself.
export function itemsOf(state: Pick<State, 'items' | 'spread' | 'filter'>): Items {
  if (state.items === null) return none
  return isSpread(state as State) ? (state.spread?.items ?? none) : state.items
}

const farthest = 60_000 // px that a view can show at once

// allShown is the ground of everything that the canvas shows. Of what lies too
// far apart for one view, it is that of the place where most lies.
export function allShown(state: State): Rect | null {
  const { design, filter } = state
  const rects = [...(design ? rectsOf(filtered(design, filter), placesOf(state)) : []), ...Object.values(itemsOf(state))]
  const all = bounds(rects)
  return all && Math.max(all.width, all.height) > farthest ? bounds(crowd(rects, farthest)) : all
}

export const pad = 24 // of an area round its tables
export const titleHeight = 34

// around is the ground of an area that holds these.
export function around(rects: Iterable<Rect>): Rect | null {
  const all = bounds(rects)
  return all && { x: Math.round(all.x) - pad, y: Math.round(all.y) - pad - titleHeight, width: Math.ceil(all.width) + 2 * pad, height: Math.ceil(all.height) + 2 * pad + titleHeight }
}

// liesIn reports whether the middle of something is in an area.
export function liesIn(r: Rect, area: Rect): boolean {
  const [x, y] = [r.x + r.width / 2, r.y + r.height / 2]
  return x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height
}

// within are the tables and the items that lie in an area. Another area does
// if all of it does. In the layout tables that a filter hides count as well.
export function within(state: State, id: string): { tables: Id[]; items: string[] } {
  const area = itemsOf(state)[id]
  const { design, filter } = state
  if (!design || area?.kind !== 'area') return { tables: [], items: [] }
  const among = isSpread(state) ? filtered(design, filter) : design.tables.values()
  const tables = rectsOf(among, placesOf(state)).flatMap((r) => (liesIn(r, area) ? [r.id] : []))
  const items = Object.entries(itemsOf(state)).flatMap(([other, item]) => (other !== id && isIn(item, area) ? [other] : []))
  return { tables, items }
}

export function isIn(item: Item, area: Rect): boolean {
  if (item.kind === 'note') return liesIn(item, area)
  return item.x >= area.x && item.y >= area.y && item.x + item.width <= area.x + area.width && item.y + item.height <= area.y + area.height
}

export interface Moved {
  tables: Record<Id, Position>
  items: Record<string, Item>
}

// movedBy is where an item, and what lies in it, come to lie.
export function movedBy(state: State, id: string, { tables, items }: { tables: readonly Id[]; items: readonly string[] }, dx: number, dy: number): Moved {
  const places = placesOf(state)
  const all = itemsOf(state)
  const moved: Moved = { tables: {}, items: {} }
  for (const table of tables) {
    const at = places[table]
    if (at) moved.tables[table] = { x: Math.round(at.x + dx), y: Math.round(at.y + dy) }
  }
  for (const other of [id, ...items]) {
    const item = all[other]
    if (item) moved.items[other] = { ...item, x: Math.round(item.x + dx), y: Math.round(item.y + dy) }
  }
  return moved
}

// Side is which border of an item is dragged: -1 the left or upper one, 1 the
// other, 0 neither.
export type Side = readonly [x: -1 | 0 | 1, y: -1 | 0 | 1]

// resized is an item one or two of whose borders were moved.
export function resized(item: Item, [sx, sy]: Side, dx: number, dy: number): Item {
  const { width: narrowest, height: lowest } = least[item.kind]
  const width = Math.round(Math.max(narrowest, item.width + sx * dx))
  const height = Math.round(Math.max(lowest, item.height + sy * dy))
  return { ...item, width, height, x: sx < 0 ? Math.round(item.x + item.width - width) : item.x, y: sy < 0 ? Math.round(item.y + item.height - height) : item.y }
}

// freeTitle is how a new area is called until a person says.
export function freeTitle(items: Items): string {
  const taken = new Set(Object.values(items).map((i) => i.text.toLowerCase()))
  for (let n = 1; ; n++) if (!taken.has(`area ${n}`)) return `Area ${n}`
}

// inLayers are the items in the order in which they are drawn: areas below,
// larger ones first, so that one within another can be seen and pressed.
export function inLayers(items: Items): [string, Item][] {
  const size = (i: Item): number => i.width * i.height
  return Object.entries(items).sort(([ia, a], [ib, b]) => (a.kind === b.kind ? size(b) - size(a) || ia.localeCompare(ib) : a.kind === 'area' ? -1 : 1))
}

// wordsOf is how an item is called.
export function wordsOf(item: Item): string {
  return item.kind === 'area' ? `Area ${item.text}` : `Note ${item.text.replaceAll('\n', ' ').slice(0, 60) || 'without text'}`
}
