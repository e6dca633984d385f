import type { ColumnSpec, Edit } from '../../api/edits'
import type { DialectInfo, TypeInfo } from '../../api/dialect'
import type { Column, Table } from '../../api/types'
import { refTo } from '../../store/apply'
import { isKeyColumn, typeOf } from '../../store/design'
import { uniqueOn } from '../../store/unique'
import { bareType } from '../TypeInput'

// A column as a row of the grid has it.
export interface Row {
  name: string
  dataType: string // as SQL writes it: varchar(200)
  isPrimaryKey: boolean
  isNullable: boolean
  isUnique: boolean
  defaultValue: string
  isIdentity: boolean
  comment: string
}

export const blankRow: Row = { name: '', dataType: '', isPrimaryKey: false, isNullable: true, isUnique: false, defaultValue: '', isIdentity: false, comment: '' }

export function rowOf(table: Table, c: Column): Row {
  return {
    name: c.name,
    dataType: typeOf(c),
    isPrimaryKey: isKeyColumn(table, c),
    isNullable: c.isNullable === true,
    isUnique: uniqueOn(table, c.id) !== undefined,
    defaultValue: c.defaultValue ?? '',
    isIdentity: c.isIdentity === true,
    comment: c.comment ?? '',
  }
}

// setEdit is what was typed into the row of a column, null where that is what
// it is already.
export function setEdit(table: Table, c: Column, typed: Partial<Row>): Edit | null {
  const now = rowOf(table, c)
  const set: ColumnSpec = Object.fromEntries(Object.entries(trimmed(typed)).filter(([f, value]) => value !== now[f as keyof Row]))
  if (set.name === '') delete set.name
  if (set.dataType === '') delete set.dataType
  if (set.isPrimaryKey) delete set.isNullable
  return Object.keys(set).length === 0 ? null : { op: 'set_column', table: { id: table.id }, column: refTo(c), set }
}

// addEdit is a column that a row describes. usual is its type where none was typed.
export function addEdit(table: Pick<Table, 'id'>, row: Row, usual: string): Edit | null {
  const { name, dataType, isPrimaryKey, isNullable, isUnique, defaultValue, isIdentity, comment } = { ...row, ...trimmed(row) }
  if (name === '') return null
  const column: ColumnSpec = { name, dataType: dataType || usual }
  if (isPrimaryKey) column.isPrimaryKey = true
  else column.isNullable = isNullable
  if (isUnique) column.isUnique = true
  if (isIdentity) column.isIdentity = true
  if (defaultValue) column.defaultValue = defaultValue
  if (comment) column.comment = comment
  return { op: 'add_column', table: { id: table.id }, column }
}

function trimmed(row: Partial<Row>): Partial<Row> {
  return Object.fromEntries(Object.entries(row).map(([f, value]) => [f, typeof value === 'string' ? value.trim() : value]))
}

export function typeInfo(dialect: DialectInfo | null, text: string): TypeInfo | undefined {
  const wanted = bareType(text).toLowerCase()
  return dialect?.types.find((t) => [t.name, ...(t.aliases ?? [])].some((n) => n.toLowerCase() === wanted))
}

// usualType is what most new columns are: the dialect's first text type.
export function usualType(dialect: DialectInfo | null): string {
  const text = dialect?.types.find((t) => ['varchar', 'nvarchar', 'text'].includes(t.kind ?? '') && t.legacy !== true)
  return text?.name ?? dialect?.types[0]?.name ?? ''
}
