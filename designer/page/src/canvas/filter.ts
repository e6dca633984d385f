import type { Id, Table } from '../api/types'
import type { Design } from '../store/design'
import type { Filter } from '../store/state'
import { neighbours } from './relations'

// filtered returns the tables that the filter lets through.
export function filtered(design: Design, filter: Filter): Table[] {
  const near = filter.around && within(design, filter.around.table, filter.around.distance)
  const tables: Table[] = []
  for (const table of design.tables.values()) {
    if (filter.schemas && !filter.schemas.has(table.schema)) continue
    if (near && !near.has(table.id)) continue
    tables.push(table)
  }
  return tables
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

export function isFiltered(filter: Filter): boolean {
  return filter.schemas !== null || filter.around !== null
}
