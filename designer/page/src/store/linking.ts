import type { ColumnSpec, Edit } from '../api/edits'
import type { Column, Table } from '../api/types'
import { columnById, findTable, fullName, type Design } from './design'
import { freeName, single } from './names'

// A many-to-many relation is a table whose key is the keys of two others.

export interface Link {
  schema: string
  name: string
  edits: Edit[]
}

// linkOf is the table that relates two tables, many to many, and its foreign
// keys; a text says why there is none.
export function linkOf(design: Design, one: Table, other: Table): Link | string {
  const sides = [one, other].map((t) => ({ table: t, key: (t.primaryKey?.columns ?? []).flatMap((id) => columnById(t, id) ?? []) }))
  const without = sides.find((s) => s.key.length === 0)
  if (without) return `${without.table.name} has no primary key, which the rows of a table between the two would refer to.`
  const joined = joinedLike(one.name)
  const name = free(design, one.schema, joined(one.name, other.name))
  const used = new Set<string>()
  const mappings = sides.map(({ table, key }) =>
    key.map((c) => {
      const column = freeName(referring(table.name, c.name, joined), (n) => used.has(n.toLowerCase()))
      used.add(column.toLowerCase())
      return { spec: copyOf(column, c), mapping: { column, referencedColumn: c.name } }
    }),
  )
  const table = { schema: one.schema, name }
  return {
    ...table,
    edits: [
      { op: 'add_table', table, initialColumns: mappings.flat().map((m) => m.spec) },
      ...sides.map(({ table: to }, i): Edit => ({
        op: 'add_foreign_key',
        table,
        foreignKey: { referencedTable: { id: to.id, schema: to.schema, name: to.name }, mappings: (mappings[i] ?? []).map((m) => m.mapping), onDeleteAction: 'cascade' },
      })),
    ],
  }
}

function copyOf(name: string, { dataType, maxLength, precision, scale, collation }: Column): ColumnSpec {
  const given = Object.entries({ dataType, maxLength, precision, scale, collation }).filter(([, value]) => value !== undefined)
  return { name, ...Object.fromEntries(given), isPrimaryKey: true }
}

// joinedLike joins names as those of the tables are written: boats_slips, or
// BoatsSlips.
function joinedLike(sample: string): (a: string, b: string) => string {
  const camel = /^[A-Z]/.test(sample) || /[a-z][A-Z]/.test(sample)
  return (a, b) => (camel ? a + b.charAt(0).toUpperCase() + b.slice(1) : `${a}_${b}`)
}

// referring is the name of a column that refers to a table's key: boat_id for
// the id of boats, and the key's own name where that says it already.
function referring(table: string, key: string, joined: (a: string, b: string) => string): string {
  return /^(id|key|code|uuid|guid)$/i.test(key) ? joined(single(table), key) : key
}

function free(design: Design, schema: string, name: string): string {
  const views = new Set(design.views.map((v) => fullName({ schema: v.schema ?? design.defaultSchema, name: v.name }).toLowerCase()))
  return freeName(name, (n) => findTable(design, schema, n) !== undefined || views.has(fullName({ schema, name: n }).toLowerCase()))
}
