import type { Edit, IndexKey, IndexSpec } from '../../api/edits'
import type { Id, Index, IndexPart, Table } from '../../api/types'
import { columnById } from '../../store/design'

// What the form of an index holds, and the edits that it makes of it. An edit
// says only what differs: what the form was not asked to change stays as the
// database has it, also where an edit could not say it.

export interface Part {
  isExpression: boolean
  column: Id // '': none is chosen
  expression: string
  descending: boolean
  nulls: '' | 'first' | 'last' // '': as the direction implies
  opClass: string
  collation: string
  length: string // how much of a value is indexed; '': all of it
}

export interface Fields {
  name: string
  unique: boolean
  method: string
  parts: Part[]
  include: Id[]
  where: string
}

export const blankPart: Part = { isExpression: false, column: '', expression: '', descending: false, nulls: '', opClass: '', collation: '', length: '' }

// fieldsOf takes the name of the ordinary method, which a model leaves out.
export function fieldsOf(index: Index | null, ordinary: string): Fields {
  const parts = (index?.parts ?? []).map(partOf)
  return {
    name: index?.name ?? '',
    unique: index?.unique ?? false,
    method: index?.method || ordinary,
    parts: parts.length > 0 ? parts : [blankPart],
    include: index?.include ?? [],
    where: index?.where ?? '',
  }
}

function partOf({ column, expression, descending, nulls, opClass, collation, length }: IndexPart): Part {
  return {
    isExpression: column === undefined,
    column: column ?? '',
    expression: expression ?? '',
    descending: descending ?? false,
    nulls: nulls ?? '',
    opClass: opClass ?? '',
    collation: collation ?? '',
    length: length ? String(length) : '',
  }
}

// withMethod gives another method, for which the operator classes of the one
// before mean nothing. Those of the method that the index has come back with it.
export function withMethod(before: Fields, draft: Fields, method: string): Partial<Fields> {
  const had = (p: Part): string => (method === before.method ? (like(before, p)?.opClass ?? '') : '')
  return { method, parts: draft.parts.map((p) => ({ ...p, opClass: had(p) })) }
}

function like({ parts }: Fields, { isExpression, column, expression }: Part): Part | undefined {
  return parts.find((p) => p.isExpression === isExpression && (isExpression ? p.expression === expression : p.column === column))
}

// isWhole reports whether an index can be made of the draft: a row without a
// column is none yet, but an expression has to be written.
export function isWhole(table: Table, { parts }: Fields): boolean {
  return parts.every((p) => !p.isExpression || p.expression.trim() !== '') && chosen(table, parts).length > 0
}

function chosen(table: Table, parts: readonly Part[]): Part[] {
  return parts.filter((p) => p.isExpression || columnById(table, p.column) !== undefined)
}

// indexEdits makes an index of the draft, or changes the one with the id.
export function indexEdits(table: Table, id: Id | null, before: Fields, draft: Fields): Edit[] {
  const spec = specOf(table, before, draft)
  if (id === null) return [{ op: 'add_index', table: { id: table.id }, index: spec }]
  return Object.keys(spec).length === 0 ? [] : [{ op: 'set_index', table: { id: table.id }, index: { id }, set: spec }]
}

function specOf(table: Table, before: Fields, draft: Fields): IndexSpec {
  const spec: IndexSpec = {}
  const name = draft.name.trim()
  const where = draft.where.trim()
  if (name !== '' && name !== before.name) spec.name = name
  if (draft.unique !== before.unique) spec.unique = draft.unique
  if (draft.method !== before.method) spec.method = draft.method
  if (where !== before.where) spec.where = where
  if (differ(before.include, draft.include)) spec.include = draft.include.flatMap((id) => columnById(table, id)?.name ?? [])
  const parts = chosen(table, draft.parts)
  if (differ(before.parts, parts)) spec.columns = parts.map((p) => keyOf(table, p, like(before, p) ?? blankPart))
  return spec
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}

// keyOf says of a key what it has, and what of it is taken away.
function keyOf(table: Table, part: Part, was: Part): IndexKey {
  const key: IndexKey = part.isExpression ? { expression: part.expression.trim() } : { name: columnById(table, part.column)?.name ?? '' }
  if (part.descending) key.descending = true
  if (part.nulls || was.nulls) key.nulls = part.nulls
  if (part.opClass || was.opClass) key.opClass = part.opClass.trim()
  if (part.collation || was.collation) key.collation = part.collation.trim()
  if (part.length || was.length) key.length = Number(part.length) || 0
  return key
}
