import type { Column, DesignEvent, Id, Snapshot, Table } from '../api/types'

// Design is one design as the page holds it: a snapshot with its tables by
// id. A Table in it is never modified; a changed one takes its place, so a
// component that shows one table can compare by identity.
export interface Design extends Omit<Snapshot, 'tables'> {
  tables: ReadonlyMap<Id, Table>
}

// fromSnapshot keeps every table of before that has not changed as the object
// that it was, so that only what did change renders again.
export function fromSnapshot(snapshot: Snapshot, before: Design | null): Design {
  const known = before?.connection === snapshot.connection ? before.tables : new Map<Id, Table>()
  const tables = new Map<Id, Table>()
  for (const table of snapshot.tables) {
    const old = known.get(table.id)
    tables.set(table.id, kept(old, table))
  }
  return { ...snapshot, tables }
}

// kept is the table, made of the objects that it was made of as far as they
// are the same: of a table with one new column the others need not render.
function kept(old: Table | undefined, table: Table): Table {
  if (!old) return table
  if (equal(old, table)) return old
  const known = new Map(old.columns.map((c) => [c.id, c]))
  return { ...table, columns: table.columns.map((c) => (equal(known.get(c.id), c) ? (known.get(c.id) ?? c) : c)) }
}

// applyEvent returns the design after event, or null where only a new
// snapshot can tell: the event does not follow on, or does not carry it.
export function applyEvent(design: Design, event: DesignEvent): Design | null {
  if (event.seq <= design.seq) return design
  if (event.type === 'reset' || event.type === 'refreshed' || event.type === 'published' || event.type === 'shown') return null
  if (event.previous === undefined || event.previous !== design.version || event.version === undefined) return null
  if (event.changes && !event.tables && !event.dropped) return null
  if (['typesAdded', 'typesUpdated', 'typesDropped'].some((kind) => event.changes?.[kind])) return null
  const tables = new Map(design.tables)
  for (const table of event.tables ?? []) {
    const old = tables.get(table.id)
    tables.set(table.id, kept(old, table))
  }
  for (const id of event.dropped ?? []) tables.delete(id)
  return {
    ...design,
    tables,
    seq: event.seq,
    version: event.version,
    sync: event.sync ?? design.sync,
    undoSteps: event.undoSteps ?? design.undoSteps,
    redoSteps: event.redoSteps ?? design.redoSteps,
  }
}

// equal compares JSON values; the order of an object's members does not count.
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]))
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => name in right && equal(left[name], right[name]))
}

// titleOf is how a table is called: with its schema unless that is the
// design's default one.
export function titleOf(design: Pick<Design, 'defaultSchema'>, table: Pick<Table, 'schema' | 'name'>): string {
  return table.schema && table.schema !== design.defaultSchema ? `${table.schema}.${table.name}` : table.name
}

export function fullName(table: Pick<Table, 'schema' | 'name'>): string {
  return table.schema ? `${table.schema}.${table.name}` : table.name
}

export function findTable(design: Design, schema: string, name: string): Table | undefined {
  const wanted = name.toLowerCase()
  const inSchema = (schema || design.defaultSchema).toLowerCase()
  for (const table of design.tables.values()) {
    if (table.name.toLowerCase() === wanted && table.schema.toLowerCase() === inSchema) return table
  }
  return undefined
}

export function columnById(table: Table, id: Id | undefined): Column | undefined {
  return table.columns.find((c) => c.id === id)
}

export function columnByName(table: Table, name: string): Column | undefined {
  const wanted = name.toLowerCase()
  return table.columns.find((c) => c.name.toLowerCase() === wanted)
}

export function isKeyColumn(table: Table, column: Column): boolean {
  return table.primaryKey?.columns.includes(column.id) ?? false
}

// typeOf writes a column's type as SQL would.
export function typeOf(column: Column): string {
  if (column.typeText) return column.typeText
  const { dataType, maxLength, precision, scale } = column
  if (maxLength) return `${dataType}(${maxLength})`
  if (precision) return scale ? `${dataType}(${precision},${scale})` : `${dataType}(${precision})`
  return dataType
}
