import type { ForeignKey, Id, Table } from '../api/types'
import { columnById, type Design } from '../store/design'

// The foreign keys of a design as lines to draw: one for each pair of columns.

export interface Relation {
  id: string // of the line
  table: Id // that has the key
  key: Id
  column: Id
  refTable: Id
  refColumn: Id | undefined
  name: string
  single: boolean // at most one row refers to a row: the columns are unique
  optional: boolean // a row need not refer to any
}

const ofTables = new WeakMap<Table, readonly Relation[]>()

export function relationsOf(table: Table): readonly Relation[] {
  const known = ofTables.get(table)
  if (known) return known
  const found = (table.foreignKeys ?? []).flatMap((key) => linesOf(table, key))
  ofTables.set(table, found)
  return found
}

function linesOf(table: Table, key: ForeignKey): Relation[] {
  const refTable = key.refTable
  if (refTable === undefined) return []
  const single = isUnique(table, key.mappings.map((m) => m.column))
  return key.mappings.map((m, i) => ({
    id: `${key.id}/${i}`,
    table: table.id,
    key: key.id,
    column: m.column,
    refTable,
    refColumn: m.refColumn,
    name: key.name ?? '',
    single,
    optional: columnById(table, m.column)?.isNullable === true,
  }))
}

function isUnique(table: Table, columns: Id[]): boolean {
  const same = (other: readonly (Id | undefined)[]): boolean => other.length === columns.length && other.every((c) => c !== undefined && columns.includes(c))
  if (table.primaryKey && same(table.primaryKey.columns)) return true
  return (table.indexes ?? []).some((x) => x.unique === true && !x.where && same(x.parts.map((p) => p.column)))
}

// allRelations lists the lines between tables that are both in the design.
export function allRelations(design: Design): Relation[] {
  const all: Relation[] = []
  for (const table of design.tables.values()) {
    for (const r of relationsOf(table)) if (design.tables.has(r.refTable)) all.push(r)
  }
  return all
}

// neighbours returns which tables are related to which, either way.
export function neighbours(design: Design): Map<Id, Set<Id>> {
  const near = new Map<Id, Set<Id>>()
  const add = (a: Id, b: Id): void => {
    const set = near.get(a)
    if (set) set.add(b)
    else near.set(a, new Set([b]))
  }
  for (const r of allRelations(design)) {
    add(r.table, r.refTable)
    add(r.refTable, r.table)
  }
  return near
}
