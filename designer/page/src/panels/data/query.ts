import type { Id, Table, TableName } from '../../api/types'
import type { DiffItem } from '../lib/api'
import type { Filter, Order, RowsRequest } from './api'

// Where a design's rows are, and what is asked for them. The design may call a
// table and its columns otherwise than the database does: what is asked for is
// what the database has.

export interface Source {
  table: TableName // in the database
  order: string[] // columns of its key, in the database's names; none: no order
}

// sourceOf finds where the rows of a design's table are; null where the table
// is only proposed.
export function sourceOf(table: Table, changes: readonly DiffItem[]): Source | null {
  const own = changesOf(table, changes)
  if (own.some((c) => c.kind === 'add_table')) return null
  const name = own.find((c) => c.kind === 'rename_table')?.was ?? table.name
  const schema = own.find((c) => c.kind === 'move_table')?.was ?? table.schema
  if (own.some((c) => c.kind === 'set_primary_key')) return { table: { schema, name }, order: [] }
  const order = (table.primaryKey?.columns ?? []).flatMap((id) => columnOf(table, id, changes) ?? [])
  return { table: { schema, name }, order }
}

// columnOf is what the database calls a column; null where it is only proposed.
export function columnOf(table: Table, id: Id, changes: readonly DiffItem[]): string | null {
  const own = changesOf(table, changes)
  const column = table.columns.find((c) => c.id === id)
  if (!column || own.some((c) => c.kind === 'add_column' && c.name === column.name)) return null
  return own.find((c) => c.kind === 'rename_column' && c.name === column.name)?.was ?? column.name
}

function changesOf(table: Table, changes: readonly DiffItem[]): DiffItem[] {
  return changes.filter((c) => c.table.schema === table.schema && c.table.name === table.name)
}

// droppedOf lists the tables that the design has dropped and the database
// still has.
export function droppedOf(changes: readonly DiffItem[]): TableName[] {
  return changes.filter((c) => c.kind === 'drop_table').map((c) => c.table)
}

// requestOf asks for limit rows from offset on: by the column that the person
// chose, and then by the key, so that no row is on two pages or on none.
export function requestOf(source: Source, filters: readonly Filter[], sort: Order | null, limit: number, offset: number): RowsRequest {
  const key = source.order.filter((column) => column !== sort?.column).map((column): Order => ({ column }))
  return { table: source.table, filters: [...filters], order: [...(sort ? [sort] : []), ...key], limit, offset }
}
