import type { Id, Table } from '../api/types'
import type { Design } from '../store/design'
import type { Filter } from '../store/state'
import { neighbours } from './relations'

// filtered returns the tables that the filter lets through.
export function filtered(design: Design, filter: Filter): Table[] {
  const near = centreOf(design, filter) && filter.around && within(design, filter.around.table, filter.around.distance)
  const tables: Table[] = []
  for (const table of design.tables.values()) {
    if (filter.hidden.has(table.id)) continue
    if (!filter.also.has(table.id)) {
      if (filter.view && !filter.view.tables.has(table.id)) continue
      if (filter.ranked?.rest.has(table.id)) continue
      if (filter.schemas && !filter.schemas.has(table.schema)) continue
      if (near && !near.has(table.id)) continue
    }
    tables.push(table)
  }
  return tables
}

// centreOf is the table that the others are near to; undefined where there is
// none, or none any more.
export function centreOf(design: Design, filter: Filter): Table | undefined {
  return filter.around ? design.tables.get(filter.around.table) : undefined
}

// within returns the tables that are at most distance relations away.
export function within(design: Design, from: Id, distance: number): Set<Id> {
  const near = neighbours(design)
  const found = new Set([from])
  let edge = [from]
  for (let step = 0; step < distance; step++) {
    edge = edge.flatMap((id) => [...(near.get(id) ?? [])]).filter((id) => !found.has(id))
    for (const id of edge) found.add(id)
  }
  return found
}

// isFiltered reports whether a filter may hide any of these tables.
export function isFiltered(design: Design | null, filter: Filter): boolean {
  if (!design) return false
  return filter.view !== null || filter.ranked !== null || filter.schemas !== null || centreOf(design, filter) !== undefined || hiddenIn(design, filter) > 0
}

// hiddenIn counts the tables that are hidden one by one.
export function hiddenIn(design: Design, filter: Filter): number {
  let count = 0
  for (const id of filter.hidden) if (design.tables.has(id)) count++
  return count
}

// letThrough is the filter that also shows these tables, which somebody asked
// for by name.
export function letThrough(design: Design, filter: Filter, ids: readonly Id[]): Filter {
  const hidden = new Set(filter.hidden)
  for (const id of ids) hidden.delete(id)
  const next = { ...filter, hidden }
  const shown = new Set(filtered(design, next).map((t) => t.id))
  const more = ids.filter((id) => !shown.has(id))
  return more.length === 0 ? next : { ...next, also: new Set([...filter.also, ...more]) }
}
