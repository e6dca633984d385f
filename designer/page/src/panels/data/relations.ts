import type { ForeignKey, Id, Table } from '../../api/types'
import type { Design } from '../../store/design'
import { titleOf } from '../../store/design'
import type { DiffItem } from '../lib/api'
import type { Filter } from './api'
import { cellFilter } from './filters'
import { columnOf } from './query'
import type { Cell, Rows } from './rows'

// From a row to those that it refers to, and to those that refer to it.

export interface Jump {
  to: Id // the table
  title: string // of the table
  by: string[] // columns of the table that refers
  filters: Filter[] // on the table that is gone to
}

// Row is a row with what its columns are called.
export interface Row {
  columns: Rows['columns']
  cells: readonly Cell[]
}

// Known is a design and how the database differs from it.
export interface Known {
  design: Design
  changes: readonly DiffItem[]
}

// referredBy finds the rows that a row refers to, one jump a foreign key that
// is not NULL.
export function referredBy(table: Table, row: Row, known: Known): Jump[] {
  return (table.foreignKeys ?? []).flatMap((key) => {
    const to = key.refTable === undefined ? undefined : known.design.tables.get(key.refTable)
    return to ? jump(key, table, to, to, row, known) : []
  })
}

// referringTo finds the rows that refer to a row.
export function referringTo(table: Table, row: Row, known: Known): Jump[] {
  return [...known.design.tables.values()].flatMap((from) =>
    (from.foreignKeys ?? []).flatMap((key) => (key.refTable === table.id ? jump(key, from, table, from, row, known) : [])),
  )
}

// cascadesOf lists the tables whose rows are deleted with those of a table
// that they refer to.
export function cascadesOf(table: Table, { design }: Known): string[] {
  const tables = [...design.tables.values()].filter((t) => (t.foreignKeys ?? []).some((k) => k.refTable === table.id && k.onDelete === 'cascade'))
  return tables.map((t) => titleOf(design, t))
}

// jump makes the filters on goal, which is one of a key's two tables; row is of
// the other.
function jump(key: ForeignKey, from: Table, to: Table, goal: Table, row: Row, { design, changes }: Known): Jump[] {
  const filters: Filter[] = []
  const by: string[] = []
  for (const { column, refColumn } of key.mappings) {
    const own = columnOf(from, column, changes)
    const other = refColumn === undefined ? null : columnOf(to, refColumn, changes)
    if (own === null || other === null) return []
    const [here, there] = goal === from ? [other, own] : [own, other]
    const filter = sameValue(row, here, there, design.dialect)
    if (!filter) return []
    filters.push(filter)
    by.push(own)
  }
  return filters.length === 0 ? [] : [{ to: goal.id, title: titleOf(design, goal), by, filters }]
}

function sameValue(row: Row, here: string, there: string, dialect: string): Filter | null {
  const i = row.columns.findIndex((c) => c.name === here)
  const column = row.columns[i]
  const cell = row.cells[i]
  if (!column || !cell || cell.kind === 'null') return null
  return cellFilter({ name: there, type: column.type }, cell, dialect)
}
