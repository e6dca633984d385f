import type { ColumnSpec, Edit, IndexSpec, ObjectRef, TableEdit, TableRef } from '../api/edits'
import type { Column, ForeignKey, Id, Index, IndexPart, Mapping, Table } from '../api/types'
import { withUnique } from './unique'
import { columnByName, findTable, type Design } from './design'

// What an edit will most likely make of a design, shown until the instance
// has answered. Nothing is validated here: the instance decides, and what it
// commits takes the place of this.

let invented = 0

// inventedId names something that the instance has not named yet.
export function inventedId(): Id {
  invented += 1
  return `new:${invented}`
}

export function isInvented(id: Id): boolean {
  return id.startsWith('new:')
}

export function applyEdits(design: Design, edits: readonly Edit[], ids: Map<string, Id>): Design {
  return edits.reduce((d, edit, i) => applyEdit(d, edit, (part) => named(ids, `${i}/${part}`)), design)
}

// named gives the same invented id each time an edit is applied again.
function named(ids: Map<string, Id>, key: string): Id {
  const id = ids.get(key) ?? inventedId()
  ids.set(key, id)
  return id
}

export function tableOf(design: Design, ref: TableRef): Table | undefined {
  return (ref.id !== undefined && design.tables.get(ref.id)) || findTable(design, ref.schema ?? '', ref.name ?? '')
}

type NameId = (part: string) => Id

function applyEdit(design: Design, edit: Edit, nameId: NameId): Design {
  if (!('table' in edit)) return design // of a type, which is shown once it is made
  // What is there already came with an event that was faster than the reply.
  if (edit.op === 'add_table') return tableOf(design, edit.table) ? design : put(design, newTable(design, edit, nameId))
  const table = tableOf(design, edit.table)
  if (!table) return design
  if (edit.op === 'drop_table') return dropTable(design, table)
  return put(design, changed(design, table, edit, nameId))
}

function put(design: Design, table: Table): Design {
  return { ...design, tables: new Map(design.tables).set(table.id, table) }
}

function dropTable(design: Design, dropped: Table): Design {
  const tables = new Map(design.tables)
  tables.delete(dropped.id)
  for (const t of tables.values()) {
    const keys = t.foreignKeys?.filter((k) => k.refTable !== dropped.id)
    if (keys && keys.length !== t.foreignKeys?.length) tables.set(t.id, { ...t, foreignKeys: keys })
  }
  return { ...design, tables }
}

function newTable(design: Design, edit: Extract<Edit, { op: 'add_table' }>, nameId: NameId): Table {
  const table: Table = { id: nameId('table'), schema: edit.table.schema ?? design.defaultSchema, name: edit.table.name ?? '', columns: [], ...(edit.comment ? { comment: edit.comment } : {}) }
  return (edit.initialColumns ?? []).reduce((t, spec, i) => addColumn(t, spec, nameId(`column${i}`)), table)
}

type ChangeOfTable = Exclude<TableEdit, { op: 'add_table' | 'drop_table' }>

function changed(design: Design, t: Table, edit: ChangeOfTable, nameId: NameId): Table {
  switch (edit.op) {
    case 'set_table':
      return { ...t, ...edit.set }
    case 'add_column':
      return columnByName(t, edit.column.name ?? '') ? t : addColumn(t, edit.column, nameId('column'))
    case 'drop_column':
      return { ...t, columns: without(t.columns, edit.column) }
    case 'set_column':
      return setColumn(t, edit.column, edit.set, () => nameId('unique'))
    case 'add_foreign_key': {
      if (has(t.foreignKeys, edit.foreignKey.name)) return t
      const blank: ForeignKey = { id: nameId('key'), mappings: [], onDelete: 'no_action', onUpdate: 'no_action' }
      return { ...t, foreignKeys: [...(t.foreignKeys ?? []), keyWith(design, t, blank, edit.foreignKey)] }
    }
    case 'set_foreign_key':
      return { ...t, foreignKeys: replaced(t.foreignKeys, edit.foreignKey, (k) => keyWith(design, t, k, edit.set)) }
    case 'drop_foreign_key':
      return { ...t, foreignKeys: without(t.foreignKeys, edit.foreignKey) }
    case 'add_index':
      return has(t.indexes, edit.index.name) ? t : { ...t, indexes: [...(t.indexes ?? []), indexWith(t, { id: nameId('index'), parts: [] }, edit.index)] }
    case 'set_index':
      return { ...t, indexes: replaced(t.indexes, edit.index, (x) => indexWith(t, x, edit.set)) }
    case 'drop_index':
      return { ...t, indexes: without(t.indexes, edit.index) }
    case 'add_check':
      return has(t.checks, edit.check.name) ? t : { ...t, checks: [...(t.checks ?? []), { id: nameId('check'), ...edit.check }] }
    case 'drop_check':
      return { ...t, checks: without(t.checks, edit.check) }
  }
}

function has(list: readonly { name?: string }[] | undefined, name: string | undefined): boolean {
  return name !== undefined && (list ?? []).some((item) => item.name?.toLowerCase() === name.toLowerCase())
}

export function matches(ref: ObjectRef, object: { id: Id; name?: string }): boolean {
  if (ref.id !== undefined) return ref.id === object.id
  return (ref.name ?? '').toLowerCase() === (object.name ?? '').toLowerCase()
}

function without<T extends { id: Id; name?: string }>(list: readonly T[] | undefined, ref: ObjectRef): T[] {
  return (list ?? []).filter((item) => !matches(ref, item))
}

function replaced<T extends { id: Id; name?: string }>(list: readonly T[] | undefined, ref: ObjectRef, by: (item: T) => T): T[] {
  return (list ?? []).map((item) => (matches(ref, item) ? by(item) : item))
}

function addColumn(t: Table, spec: ColumnSpec, id: Id): Table {
  const bare = { ...t, columns: [...t.columns, { id, name: '', dataType: '', isNullable: !spec.isPrimaryKey }] }
  return setColumn(bare, { id }, spec, () => `${id} unique`)
}

function setColumn(t: Table, ref: ObjectRef, { isPrimaryKey, isUnique, ...set }: ColumnSpec, key = inventedId): Table {
  const target = t.columns.find((c) => matches(ref, c))
  if (!target) return t
  const next: Column = { ...target, ...set }
  if (set.dataType !== undefined && set.dataType !== target.dataType) {
    delete next.typeText
    for (const f of ['maxLength', 'precision', 'scale'] as const) if (set[f] === undefined) Reflect.deleteProperty(next, f)
  }
  if (isPrimaryKey) next.isNullable = false
  const bare = { ...t, columns: t.columns.map((c) => (c === target ? next : c)) }
  const table = isUnique === undefined ? bare : withUnique(bare, next.id, isUnique, key())
  return isPrimaryKey === undefined ? table : withKey(table, next.id, isPrimaryKey)
}

function withKey(t: Table, id: Id, inKey: boolean): Table {
  const rest = (t.primaryKey?.columns ?? []).filter((c) => c !== id)
  const columns = inKey ? [...rest, id] : rest
  const { primaryKey, ...bare } = t
  return columns.length ? { ...bare, primaryKey: { ...primaryKey, columns } } : bare
}

function keyWith(design: Design, t: Table, key: ForeignKey, spec: Extract<Edit, { op: 'add_foreign_key' }>['foreignKey']): ForeignKey {
  const target = spec.referencedTable ? tableOf(design, spec.referencedTable) : design.tables.get(key.refTable ?? '')
  const next: ForeignKey = { ...key, onDelete: spec.onDeleteAction ?? key.onDelete, onUpdate: spec.onUpdateAction ?? key.onUpdate }
  if (spec.name !== undefined) next.name = spec.name
  if (target) next.refTable = target.id
  if (spec.mappings && target) {
    next.mappings = spec.mappings.flatMap((m): Mapping[] => {
      const column = columnByName(t, m.column)
      const refColumn = columnByName(target, m.referencedColumn)
      return column && refColumn ? [{ column: column.id, refColumn: refColumn.id }] : []
    })
  }
  return next
}

// indexWith keeps of a key what is not said of it, as the instance does.
function indexWith(t: Table, index: Index, { columns, include, ...spec }: IndexSpec): Index {
  const parts = columns?.flatMap(({ name = '', expression, descending = false, nulls, ...said }): IndexPart[] => {
    const column = expression === undefined ? columnByName(t, name)?.id : undefined
    if (expression === undefined && column === undefined) return []
    const { nulls: had, ...was } = index.parts.find((p) => p.column === column && p.expression === expression) ?? {}
    const order = nulls ?? ((was.descending ?? false) === descending ? had : undefined)
    return [{ ...was, ...said, ...(column === undefined ? { expression: expression ?? '' } : { column }), descending, ...(order ? { nulls: order } : {}) }]
  })
  const stored = include?.flatMap((name) => columnByName(t, name)?.id ?? [])
  return { ...index, ...spec, ...(stored ? { include: stored } : {}), parts: parts ?? index.parts }
}

// refTo names a column; one that the instance has not named yet has no id there.
export function refTo(c: Column): ObjectRef {
  return isInvented(c.id) ? { name: c.name } : { id: c.id }
}
