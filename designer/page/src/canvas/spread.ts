import type { Items } from '../api/items'
import type { Position } from '../api/types'
import { keepCollapsed } from '../store/layout'
import { store, type Filter, type State } from '../store/state'
import { arrangeAmong, stillThere } from './among'
import { arrange, roomy } from './arrange'
import { filtered } from './filter'
import { bounds, rectsOf } from './geometry'
import { grid, place, type Positions } from './placement'
import { watchForTouch } from './touch'
import { fitView } from './view'

// What is near a table, what a saved view has, and the first view of a large
// design are arranged for that view alone: among all tables it may stand far apart. The layout stays as
// it is, and moves made meanwhile go with the view.

let merged: { positions: Positions; at: Positions; all: Positions } | undefined

// placesOf is where the canvas shows tables: in their layout, or as they were
// arranged for the view that is open.
export function placesOf({ positions, spread, filter }: State): Positions {
  if (!spread || spread.of !== viewOf(filter)) return positions
  if (merged?.positions !== positions || merged.at !== spread.at) merged = { positions, at: spread.at, all: { ...positions, ...spread.at } }
  return merged.all
}

export function isSpread({ spread, filter }: State): boolean {
  return spread !== null && spread.of === viewOf(filter)
}

function itemsOfSpread(state: State): Items {
  return isSpread(state) ? (state.spread?.items ?? {}) : {}
}

// viewOf is the part of a filter that has an arrangement of its own.
function viewOf(filter: Filter): object | null {
  return filter.around ?? filter.view ?? filter.ranked
}

// spreadOut arranges what is shown in a view. It reports whether the canvas
// still shows that when it is done.
export async function spreadOut(): Promise<boolean> {
  const state = store.get()
  const { design, filter } = state
  const of = viewOf(filter)
  if (!design || !of) return false
  const laid = await arrangeAmong(design, { shown: filtered(design, filter), hidden: [], positions: placesOf(state), items: itemsOfSpread(state) }, roomy)
  if (viewOf(store.get().filter) !== of) return false
  store.set((s) => ({ spread: { of, at: keepCollapsed(placesOf(s), laid.tables), items: { ...itemsOfSpread(s), ...stillThere(laid.items, itemsOfSpread(s)) } } }))
  fillSpread()
  return true
}

// spreadFirst has places at once for the view that a large design begins with,
// and better ones a moment later, unless somebody has a hand on the canvas.
export async function spreadFirst(): Promise<void> {
  const { design, filter, positions } = store.get()
  const of = filter.ranked
  if (!design || !of || viewOf(filter) !== of || isSpread(store.get())) return
  const tables = filtered(design, filter)
  const corner = bounds(rectsOf(tables, positions)) ?? { x: 0, y: 0 }
  const begun = grid(tables)
  for (const [id, at] of Object.entries(begun)) begun[id] = { x: at.x + corner.x, y: at.y + corner.y, ...(positions[id]?.collapsed ? { collapsed: true } : {}) }
  store.set({ spread: { of, at: begun, items: {} } })
  const touched = watchForTouch()
  const at = await arrange(design, tables, positions, roomy).catch(() => null)
  const keep = touched()
  if (!at || keep || store.get().spread?.at !== begun) return
  store.set(({ spread }) => ({ spread: { of, at: keepCollapsed(begun, at), items: spread?.items ?? {} } }))
  fillSpread()
  setTimeout(fitView)
}

// fillSpread gives a place in the view to those that have come into it since.
export function fillSpread(): void {
  const { design, filter, spread } = store.get()
  if (!design || !spread || spread.of !== viewOf(filter)) return
  const tables = new Map(filtered(design, filter).map((t) => [t.id, t]))
  const [first] = Object.values(spread.at)
  const more = place({ ...design, tables }, spread.at, first ?? { x: 0, y: 0 })
  if (Object.keys(more).length > 0) moveInView(more)
}

// moveInView moves tables in the view that is open.
export function moveInView(moved: Readonly<Record<string, Position>>): void {
  store.set((s) => (s.spread ? { spread: { ...s.spread, at: { ...s.spread.at, ...keepCollapsed(placesOf(s), moved) } } } : {}))
}
