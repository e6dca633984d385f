import type { NamedType, TypeClass, TypeEdit, TypeSet } from '../../api/namedType'
import type { Id } from '../../api/types'

// What the form of a type holds, and the edits that it makes of it. An edit
// says only what differs.

export interface Value {
  id: Id // '': it is new
  was: string // its name, as the form found it
  name: string
}

export interface Fields {
  kind: TypeClass
  schema: string
  name: string
  comment: string
  values: Value[]
  base: string
  notNull: boolean
  default: string
  check: string
}

export const blankValue: Value = { id: '', was: '', name: '' }

export function blank(kind: TypeClass, schema: string): Fields {
  return { kind, schema, name: '', comment: '', values: kind === 'enum' ? [blankValue] : [], base: '', notNull: false, default: '', check: '' }
}

export function fieldsOf({ kind, schema, name, comment = '', values = [], domain }: NamedType): Fields {
  const checks = domain?.checks ?? []
  return {
    kind,
    schema,
    name,
    comment,
    values: values.map((v) => ({ id: v.id, was: v.name, name: v.name })),
    base: domain?.base ?? '',
    notNull: domain?.notNull ?? false,
    default: domain?.default ?? '',
    check: checks.length === 1 ? (checks[0]?.expression ?? '') : '', // several are shown, and stay
  }
}

// isWhole reports whether a type can be made of the draft: a new value without a
// name is none yet, but one that is there keeps a name.
export function isWhole({ kind, name, values, base }: Fields): boolean {
  if (name.trim() === '') return false
  if (kind === 'domain') return base.trim() !== ''
  return namesOf(values).length > 0 && values.every((v) => v.id === '' || v.name !== '')
}

function namesOf(values: readonly Value[]): string[] {
  return values.map((v) => v.name).filter((name) => name !== '')
}

// typeEdits makes a type of the draft, or changes the one with the id.
export function typeEdits(id: Id | null, before: Fields, draft: Fields): TypeEdit[] {
  if (id === null) {
    const named = { ...(draft.schema ? { schema: draft.schema } : {}), name: draft.name.trim(), ...(draft.comment.trim() ? { comment: draft.comment.trim() } : {}) }
    if (draft.kind === 'enum') return [{ op: 'add_type', type: { ...named, values: namesOf(draft.values) } }]
    return [{ op: 'add_type', type: { ...named, dataType: draft.base.trim(), ...domainSet(blank('domain', ''), { ...draft, base: '' }) } }]
  }
  const set: TypeSet = draft.kind === 'enum' ? valuesSet(before.values, draft.values) : domainSet(before, draft)
  if (draft.name.trim() !== before.name) set.name = draft.name.trim()
  if (draft.schema !== before.schema) set.schema = draft.schema
  if (draft.comment.trim() !== before.comment) set.comment = draft.comment.trim()
  return Object.keys(set).length === 0 ? [] : [{ op: 'set_type', type: { id }, set }]
}

function domainSet(before: Fields, draft: Fields): TypeSet {
  const set: TypeSet = {}
  if (draft.base.trim() !== before.base) set.dataType = draft.base.trim()
  if (draft.notNull !== before.notNull) set.isNullable = !draft.notNull
  if (draft.default.trim() !== before.default) set.defaultValue = draft.default.trim()
  if (draft.check.trim() !== before.check) set.check = draft.check.trim()
  return set
}

// valuesSet tells values that have another name from such that went, so that the
// rows which have them keep them. What only comes behind the others is said so:
// the type need not be made again, and what others add stays.
function valuesSet(before: readonly Value[], values: readonly Value[]): TypeSet {
  const set: TypeSet = {}
  const renamed = values.filter((v) => v.id !== '' && v.name !== v.was)
  if (renamed.length > 0) set.renameValues = Object.fromEntries(renamed.map((v) => [v.was, v.name]))
  const kept = before.map((v) => renamed.find((r) => r.id === v.id)?.name ?? v.was)
  const names = namesOf(values)
  if (!kept.every((name, i) => names[i] === name)) set.values = names
  else if (names.length > kept.length) set.addValues = names.slice(kept.length)
  return set
}

// moved exchanges a value with the one before it, or with the one behind it.
export function moved(values: readonly Value[], at: number, by: -1 | 1): Value[] {
  const next = [...values]
  const [one, other] = [next[at], next[at + by]]
  if (one && other) [next[at], next[at + by]] = [other, one]
  return next
}
