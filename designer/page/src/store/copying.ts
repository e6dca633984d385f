import type { ColumnSpec, Edit, IndexKey } from '../api/edits'
import type { Column, ForeignKey, Id, Index, Table } from '../api/types'
import { columnById, isKeyColumn, type Design } from './design'

// What is copied of a design: text that this page pastes, in this project or in
// another one, and that an agent can read, since it holds edits of the designer
// tool.

export interface Copied {
  berth: 'tables'
  dialect: string
  edits: Edit[]
}

// copied is the text of some tables: their columns, keys, indexes and checks, and
// the foreign keys that go from them to any table.
export function copied(design: Design, ids: readonly Id[]): string {
  const text: Copied = { berth: 'tables', dialect: design.dialect, edits: editsOf(design, ids) }
  return JSON.stringify(text, null, 1)
}

// editsOf are the edits that make tables as they are. A foreign key comes last:
// it may lead to any of them.
export function editsOf(design: Design, ids: readonly Id[]): Edit[] {
  const tables = ids.flatMap((id) => design.tables.get(id) ?? [])
  return [...tables.flatMap(ofTable), ...tables.flatMap((t) => (t.foreignKeys ?? []).flatMap((k) => ofKey(design, t, k)))]
}

function ofTable(t: Table): Edit[] {
  const table = { schema: t.schema, name: t.name }
  return [
    { op: 'add_table', table, ...(t.comment ? { comment: t.comment } : {}), initialColumns: t.columns.map((c) => ofColumn(t, c)) },
    ...(t.indexes ?? []).map((x): Edit => ({ op: 'add_index', table, index: ofIndex(t, x) })),
    ...(t.checks ?? []).map(({ name, expression }): Edit => ({ op: 'add_check', table, check: { ...(name ? { name } : {}), expression } })),
  ]
}

function ofColumn(t: Table, c: Column): ColumnSpec {
  const { name, dataType, maxLength, precision, scale, values, identitySeed, identityIncrement, defaultValue, isComputed, computedFormula, computedPersisted, collation, comment } = c
  const said = { name, dataType, maxLength, precision, scale, values, isIdentity: c.isIdentity, identitySeed, identityIncrement, defaultValue, isComputed, computedFormula, computedPersisted, collation, comment }
  const rest = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== false)) as ColumnSpec
  return isKeyColumn(t, c) ? { ...rest, isPrimaryKey: true } : { ...rest, isNullable: c.isNullable ?? false }
}

function ofIndex(t: Table, x: Index) {
  const { name, unique, where, method, include, parts } = x
  const columns = parts.map(({ column, ...rest }): IndexKey => ({ ...rest, ...(column ? { name: columnById(t, column)?.name ?? '' } : {}) }))
  const stored = include?.map((id) => columnById(t, id)?.name ?? '')
  return { ...(name ? { name } : {}), ...(unique ? { unique } : {}), columns, ...(where ? { where } : {}), ...(method ? { method } : {}), ...(stored ? { include: stored } : {}) }
}

function ofKey(design: Design, t: Table, k: ForeignKey): Edit[] {
  const to = k.refTable === undefined ? undefined : design.tables.get(k.refTable)
  if (!to) return [] // it dangles
  const mappings = k.mappings.map((m) => ({ column: columnById(t, m.column)?.name ?? '', referencedColumn: columnById(to, m.refColumn)?.name ?? '' }))
  const foreignKey = { ...(k.name ? { name: k.name } : {}), referencedTable: { schema: to.schema, name: to.name }, mappings, onDeleteAction: k.onDelete, onUpdateAction: k.onUpdate }
  return [{ op: 'add_foreign_key', table: { schema: t.schema, name: t.name }, foreignKey }]
}
