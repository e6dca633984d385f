import type { Instance } from './instance'
import { quoted } from './quoted'

// What the trees show, as the tools of the instance say it.

export interface Connection {
  name: string
  dialect: string
  database?: string
}

export interface Column {
  name: string
  dataType: string
  isPrimaryKey?: boolean
  isNullable?: boolean
  isIdentity?: boolean
  isUnique?: boolean
}

export interface TableName {
  schema: string
  name: string
}

export interface Table extends TableName {
  columns: Column[]
  primaryKey?: { columns: string[] }
  foreignKeys?: { name?: string; referencedTable: TableName; mappings: { column: string; referencedColumn: string }[] }[]
  indexes?: { name: string; unique?: boolean; columns: { name?: string; expression?: string }[] }[]
}

export interface Change {
  kind: string
  table: TableName
  name?: string
  was?: string
  fields?: string[]
  from?: string // what it was
  to?: string // what it becomes
}

// connections are all that the project has; the status names the first ten.
export async function connections(instance: Instance): Promise<Connection[]> {
  const list = await instance.json<{ connections: Connection[] }>('/designs')
  return list.connections
}

// NamedTable is a table with its columns' names.
export interface NamedTable extends TableName {
  columns: string[]
}

interface Overview {
  success: boolean
  message?: string
  overview: { tables: (TableName & { columns?: ({ name: string } | string)[] })[]; nextOffset?: number }
}

// tables lists every table of a connection, page by page.
export function tables(instance: Instance, connectionName: string): Promise<TableName[]> {
  return overview(instance, connectionName, 'none')
}

export async function tablesWithColumns(instance: Instance, connectionName: string): Promise<NamedTable[]> {
  const list = await overview(instance, connectionName, 'names')
  return list.map(({ schema, name, columns = [] }) => ({ schema, name, columns: columns.map((c) => (typeof c === 'string' ? c : c.name)) }))
}

async function overview(instance: Instance, connectionName: string, includeColumns: 'none' | 'names'): Promise<Overview['overview']['tables']> {
  const list: Overview['overview']['tables'] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const reply: Overview = await ask<Overview>(instance, { operation: 'get_overview', connectionName, options: { includeColumns, offset } })
    list.push(...reply.overview.tables)
    const next: number | undefined = reply.overview.nextOffset
    offset = next !== undefined && next > offset ? next : undefined
  }
  return list
}

export async function table(instance: Instance, connectionName: string, { schema, name }: TableName): Promise<Table> {
  const reply = await ask<{ table: Table }>(instance, {
    operation: 'get_table', connectionName, payload: { table: { schema, name } }, options: { includeColumns: 'full', includeForeignKeys: true },
  })
  return reply.table
}

export async function changes(instance: Instance, connection: string): Promise<Change[]> {
  const reply = await instance.json<{ changes: Change[] | null }>(`/designs/${encodeURIComponent(connection)}/changes`)
  return reply.changes ?? []
}

async function ask<T>(instance: Instance, args: Record<string, unknown>): Promise<T> {
  const reply = await instance.tool('schema_designer_read', args)
  const json = reply.json as (T & { message?: string }) | null
  if (reply.failed || !json) throw new Error(json?.message ?? reply.text)
  return json
}

// groupBy is Map.groupBy, which older editors' Node lacks.
export function groupBy<T>(list: T[], key: (of: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const name = key(one)
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return groups
}

// matching are the tables that have a text in "schema.name", in any case.
export function matching(list: TableName[], text: string): TableName[] {
  const wanted = text.toLowerCase()
  return list.filter((t) => `${t.schema}.${t.name}`.toLowerCase().includes(wanted))
}

// typeOf is a column's type and what is special about it, in few words.
export function typeOf(c: Column): string {
  const words = [c.dataType]
  if (c.isPrimaryKey) words.push('primary key')
  else if (c.isNullable === false) words.push('not null')
  if (c.isIdentity) words.push('identity')
  return words.join(', ')
}

// explaining is a statement that has the database explain a query instead of
// running it; null: the dialect has none that only reads.
export function explaining(dialect: string, query: string): string | null {
  if (dialect === 'mssql') return null
  return `${dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${query}`
}

// wordsOf is a change as a line of a tree: "rename column: Mail (was EMail)",
// "alter column: Mail: varchar(220) → text".
export function wordsOf(change: Change): string {
  const { kind, name = '', was = '' } = change
  return [kind.replaceAll('_', ' '), `${name}${was && ` (was ${was})`}`, sidesOf(change)].filter(Boolean).join(': ')
}

function sidesOf({ kind, from = '', to = '', fields = [] }: Change): string {
  if (/^(rename|move)_|_table$/.test(kind) && kind !== 'alter_table') return ''
  return from === to ? fields.join(', ') : [from, to].filter(Boolean).join(' → ')
}

// tableInSQL is a table's name as SQL takes it, with the schema unless it is the
// one that a session of the dialect looks in first.
export function tableInSQL({ dialect, database }: Connection, { schema, name }: TableName): string {
  const first = { sqlite: 'main', postgres: 'public', mssql: 'dbo' }[dialect] ?? database
  return schema === first || !schema ? quoted(dialect, name) : `${quoted(dialect, schema)}.${quoted(dialect, name)}`
}
