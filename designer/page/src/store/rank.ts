import { home } from '../api/home'
import type { Id, Table } from '../api/types'
import { fullName, type Design } from './design'
import { noFilter, store, type Filter, type Ranked } from './state'

// A large design begins with the tables that have most relations: of all of
// them nobody sees more than boxes.

export const large = 150 // tables; with more, a design begins with some of them
const most = 60 // that it begins with
const least = 20 // with relations, below which the rank says nothing

// rankedOf is the first view of a design, the same for the same tables; null
// for one that is seen as a whole.
export function rankedOf(design: Design): Ranked | null {
  if (design.tables.size <= large) return null
  const ranked = byRelations(design)
  if (ranked.length < least) return null
  const first = new Set(ranked.slice(0, most).map((t) => t.id))
  return { most: first.size, rest: new Set([...design.tables.keys()].filter((id) => !first.has(id))) }
}

// byRelations lists the tables that have any, those with most first. A foreign
// key is one relation of either table, whatever its columns.
function byRelations(design: Design): Table[] {
  const counts = new Map<Id, number>()
  const count = (id: Id): void => void counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const table of design.tables.values()) {
    for (const { refTable } of table.foreignKeys ?? []) {
      if (refTable === undefined || !design.tables.has(refTable)) continue
      count(table.id)
      if (refTable !== table.id) count(refTable)
    }
  }
  const related = [...design.tables.values()].filter((t) => counts.has(t.id))
  return related.sort((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0) || (fullName(a) < fullName(b) ? -1 : 1))
}

// firstFilter is what a design is opened with, in this browser.
export function firstFilter(design: Design): Filter {
  return home.read(key()) === 'all' ? noFilter : { ...noFilter, ranked: rankedOf(design) }
}

// keepFirst remembers whether a person wants to see all of a large design, or
// those with most relations first.
export function keepFirst(first: 'all' | 'ranked'): void {
  if ((store.get().design?.tables.size ?? 0) > large) home.keep(key(), first)
}

function key(): string {
  return `berth.first.${store.get().projectRoot}.${store.get().connection}`
}
