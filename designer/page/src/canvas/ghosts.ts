import type { Id, Table } from '../api/types'
import type { State } from '../store/state'
import { filtered } from './filter'
import { bounds, overlaps, rectsOf, sizeOf, type Rect } from './geometry'
import { place, type Positions } from './placement'

export interface Ghost extends Rect {
  table: Table
}

const beside = 80 // of all tables, where nothing says better

type Shown = Pick<State, 'connection' | 'design' | 'filter' | 'reviewing'>

// ghostsOf are the dropped tables that the canvas would show, and where: where
// each lay if nothing stands there now, else near what it was related to, else
// at the edge.
export function ghostsOf({ connection, design, filter, reviewing }: Shown, places: Positions): Ghost[] {
  if (!design || reviewing.connection !== connection) return []
  const dropped = reviewing.dropped.filter((t) => !design.tables.has(t.id))
  if (dropped.length === 0) return []
  // As they all were: a foreign key of a table that stands went with its parent.
  const tables = new Map<Id, Table>(design.tables)
  for (const { id, before } of reviewing.tables.values()) if (before) tables.set(id, before)
  const before = { ...design, tables }
  const shown = new Set(filtered(before, filter).map((t) => t.id))
  const standing = rectsOf(filtered(design, filter), places)
  const at = Object.fromEntries(standing.map(({ id, x, y }) => [id, { x, y }]))
  const ghosts = dropped.filter((t) => shown.has(t.id))
  for (const r of rectsOf(ghosts, places)) if (!standing.some((other) => overlaps(r, other))) at[r.id] = { x: r.x, y: r.y }
  const all = bounds(standing)
  const seen = new Map([...tables].filter(([id]) => shown.has(id)))
  const found = { ...at, ...place({ ...before, tables: seen }, at, all ? { x: all.x + all.width + beside, y: all.y } : { x: 0, y: 0 }) }
  return ghosts.flatMap((table) => {
    const there = found[table.id]
    return there ? [{ table, ...there, ...sizeOf(table) }] : []
  })
}
