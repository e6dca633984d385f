import type { Table, TableName } from '../../api/types'
import type { DiffItem } from '../lib/api'

// The query for one page of a table's rows. The design may call a table and
// its columns otherwise than the database does: what is asked for is what the
// database has.

export interface Source {
  table: TableName // in the database
  order: string[] // columns of its key, in the database's names; none: no order
}

// sourceOf finds where the rows of a design's table are; null where the table
// is only proposed.
export function sourceOf(table: Table, changes: readonly DiffItem[]): Source | null {
  const own = changes.filter((c) => c.table.schema === table.schema && c.table.name === table.name)
  if (own.some((c) => c.kind === 'add_table')) return null
  const name = own.find((c) => c.kind === 'rename_table')?.was ?? table.name
  const schema = own.find((c) => c.kind === 'move_table')?.was ?? table.schema
  if (own.some((c) => c.kind === 'set_primary_key')) return { table: { schema, name }, order: [] }
  const added = new Set(own.filter((c) => c.kind === 'add_column').map((c) => c.name))
  const order = (table.primaryKey?.columns ?? []).flatMap((id) => {
    const column = table.columns.find((c) => c.id === id)
    if (!column || added.has(column.name)) return []
    return own.find((c) => c.kind === 'rename_column' && c.name === column.name)?.was ?? column.name
  })
  return { table: { schema, name }, order }
}

// droppedOf lists the tables that the design has dropped and the database
// still has.
export function droppedOf(changes: readonly DiffItem[]): TableName[] {
  return changes.filter((c) => c.kind === 'drop_table').map((c) => c.table)
}

export function quote(name: string, dialect: string): string {
  if (dialect === 'mssql') return `[${name.replaceAll(']', ']]')}]`
  if (dialect === 'mysql') return `\`${name.replaceAll('`', '``')}\``
  return `"${name.replaceAll('"', '""')}"`
}

// pageQuery asks for limit rows from offset on.
export function pageQuery(source: Source, dialect: string, limit: number, offset: number): string {
  const q = (name: string): string => quote(name, dialect)
  const table = source.table.schema ? `${q(source.table.schema)}.${q(source.table.name)}` : q(source.table.name)
  const order = source.order.map(q).join(', ')
  if (dialect === 'mssql') return `SELECT * FROM ${table} ORDER BY ${order || '(SELECT NULL)'} OFFSET ${offset} ROWS FETCH NEXT ${limit} ROWS ONLY`
  return `SELECT * FROM ${table}${order ? ` ORDER BY ${order}` : ''} LIMIT ${limit} OFFSET ${offset}`
}
