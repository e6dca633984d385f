import type { Column, ForeignKey, Id, Index, IndexPart, Table } from '../../api/types'
import type { NamedType } from '../../api/review'
import { typeOf } from '../../store/design'
import type { Tone } from '../lib/words'

// A table without the agents' changes and with them, as the things that differ,
// each with the key by which it is accepted or taken back.

export interface Field {
  key: string // '': settled with its table or type alone
  name: string // '': the part as a whole
  before: string
  after: string
}

export interface Part {
  key: string // as of a field
  kind: 'table' | 'column' | 'primary key' | 'foreign key' | 'index' | 'check'
  tone: Tone
  name: string
  fields: Field[]
}

export type NameOf = (table: Id | undefined) => string
type ColumnOf = (table: Id | undefined, id: Id | undefined) => string

interface Described {
  id: Id
  name: string
  text: string
}

// partsOf lists what differs. A table that came or went is one part.
export function partsOf(id: Id, before: Table | undefined, after: Table | undefined, nameOf: NameOf, column: ColumnOf): Part[] {
  if (!before || !after) return [{ key: id, kind: 'table', tone: before ? 'drop' : 'add', name: (after ?? before)?.name ?? '', fields: [] }]
  const whole = (list: (t: Table) => Described[], kind: Part['kind']): Part[] => changed(id, kind, list(before), list(after))
  return [
    ...own(id, before, after),
    ...columnParts(id, before, after),
    ...whole((t) => (t.foreignKeys ?? []).map((k) => ({ id: k.id, name: k.name ?? '', text: keyText(t, k, nameOf, column) })), 'foreign key'),
    ...whole((t) => (t.indexes ?? []).map((x) => ({ id: x.id, name: x.name ?? '', text: indexText(t, x) })), 'index'),
    ...whole((t) => (t.checks ?? []).map((c) => ({ id: c.id, name: c.name ?? '', text: [c.expression, withOptions(c.options)].filter(Boolean).join(' ') })), 'check'),
  ]
}

function fieldsOf(key: string, pairs: [field: string, label: string, before: string, after: string][]): Field[] {
  return pairs.filter(([, , was, is]) => was !== is).map(([field, name, was, is]) => ({ key: `${key}/${field}`, name, before: was, after: is }))
}

function own(id: Id, before: Table, after: Table): Part[] {
  const key = (t: Table): string => (t.primaryKey ? [t.primaryKey.name, `(${names(t, t.primaryKey.columns)})`, withOptions(t.primaryKey.options)].filter(Boolean).join(' ') : 'none')
  const fields = fieldsOf(`${id}/`, [
    ['name', 'name', before.name, after.name],
    ['schema', 'schema', before.schema, after.schema],
    ['comment', 'comment', before.comment ?? 'none', after.comment ?? 'none'],
    ['options', 'options', optionText(before.options), optionText(after.options)],
    ['primaryKey', 'primary key', key(before), key(after)],
  ])
  return fields.map((f) => ({ key: f.key, kind: f.name === 'primary key' ? 'primary key' : 'table', tone: 'change', name: '', fields: [f] }))
}

function optionText(options: Record<string, string> | undefined): string {
  return Object.entries(options ?? {}).map(([name, value]) => `${name}=${value}`).join(', ') || 'none'
}

function columnParts(id: Id, before: Table, after: Table): Part[] {
  const old = new Map(before.columns.map((c) => [c.id, c]))
  const now = new Set(after.columns.map((c) => c.id))
  const out: Part[] = []
  for (const c of before.columns) if (!now.has(c.id)) out.push({ key: `${id}/${c.id}`, kind: 'column', tone: 'drop', name: c.name, fields: [{ key: `${id}/${c.id}`, name: '', before: columnText(c), after: '' }] })
  for (const c of after.columns) {
    const was = old.get(c.id)
    const key = `${id}/${c.id}`
    if (!was) out.push({ key, kind: 'column', tone: 'add', name: c.name, fields: [{ key, name: '', before: '', after: columnText(c) }] })
    else {
      const fields = columnFields(key, was, c)
      if (fields.length > 0) out.push({ key, kind: 'column', tone: 'change', name: c.name, fields })
    }
  }
  return out
}

function columnFields(key: string, was: Column, is: Column): Field[] {
  const formula = (c: Column): string => (c.isComputed ? `${c.computedFormula ?? ''}${c.computedPersisted ? ' stored' : ''}` : 'no')
  const identity = (c: Column): string => (c.isIdentity ? `${c.identitySeed ?? 1}, ${c.identityIncrement ?? 1}` : 'no')
  const type = (c: Column): string => typeOf(c) + (c.values?.length ? ` (${c.values.join(', ')})` : '')
  const nullable = (c: Column): string => (c.isNullable ? 'nullable' : 'not null')
  return fieldsOf(key, [
    ['name', 'name', was.name, is.name],
    ['type', 'type', type(was), type(is)],
    ['nullable', 'nullability', nullable(was), nullable(is)],
    ['default', 'default', was.defaultValue ?? 'none', is.defaultValue ?? 'none'],
    ['identity', 'identity', identity(was), identity(is)],
    ['computed', 'computed', formula(was), formula(is)],
    ['collation', 'collation', was.collation ?? 'default', is.collation ?? 'default'],
    ['comment', 'comment', was.comment ?? 'none', is.comment ?? 'none'],
    ['options', 'options', optionText(was.options), optionText(is.options)],
  ])
}

function changed(id: Id, kind: Part['kind'], before: Described[], after: Described[]): Part[] {
  const old = new Map(before.map((p) => [p.id, p]))
  const now = new Map(after.map((p) => [p.id, p]))
  const whole = (p: Described): string => [p.name, p.text].filter(Boolean).join(' ')
  const part = (p: Described, tone: Tone, was: string, is: string): Part => ({ key: `${id}/${p.id}`, kind, tone, name: p.name, fields: [{ key: `${id}/${p.id}`, name: '', before: was, after: is }] })
  return [
    ...before.filter((p) => !now.has(p.id)).map((p) => part(p, 'drop', p.text, '')),
    ...after.flatMap((p) => {
      const was = old.get(p.id)
      if (!was) return [part(p, 'add', '', p.text)]
      return whole(was) === whole(p) ? [] : [part(p, 'change', was.name === p.name ? was.text : whole(was), was.name === p.name ? p.text : whole(p))]
    }),
  ]
}

function columnText(c: Column): string {
  const words = [typeOf(c)]
  if (!c.isNullable) words.push('not null')
  if (c.isIdentity) words.push('identity')
  if (c.isComputed) words.push(`as ${c.computedFormula ?? ''}${c.computedPersisted ? ' stored' : ''}`)
  if (c.defaultValue !== undefined && c.defaultValue !== '') words.push(`default ${c.defaultValue}`)
  if (c.collation) words.push(`collate ${c.collation}`)
  if (c.comment) words.push(`comment “${c.comment}”`)
  return words.join(' ')
}

function names(t: Table, ids: readonly Id[]): string {
  return ids.map((id) => t.columns.find((c) => c.id === id)?.name ?? '?').join(', ')
}

function keyText(t: Table, k: ForeignKey, nameOf: NameOf, column: ColumnOf): string {
  const own = names(t, k.mappings.map((m) => m.column))
  const other = k.refTable === t.id ? names(t, k.mappings.flatMap((m) => m.refColumn ?? [])) : k.mappings.map((m) => column(k.refTable, m.refColumn)).join(', ')
  const actions = [k.onDelete === 'no_action' ? '' : `on delete ${k.onDelete.replace('_', ' ')}`, k.onUpdate === 'no_action' ? '' : `on update ${k.onUpdate.replace('_', ' ')}`]
  return [`(${own}) → ${k.dangling ? k.dangling.table : nameOf(k.refTable)} (${other})`, ...actions, k.deferrable, withOptions(k.options)].filter(Boolean).join(' ')
}

function indexText(t: Table, x: Index): string {
  const words = [
    [x.unique && 'unique', x.constraint && 'constraint', `(${x.parts.map((p) => indexPartText(t, p)).join(', ')})`],
    [x.include?.length && `include (${names(t, x.include)})`, x.method && `using ${x.method}`, x.where && `where ${x.where}`, withOptions(x.options)],
  ]
  return words.flat().filter(Boolean).join(' ')
}

function indexPartText(t: Table, p: IndexPart): string {
  const on = (p.column ? names(t, [p.column]) : (p.expression ?? '')) + (p.length ? `(${p.length})` : '')
  return [on, p.collation && `collate ${p.collation}`, p.opClass, p.descending && 'desc', p.nulls && `nulls ${p.nulls}`].filter(Boolean).join(' ')
}

function withOptions(options: Record<string, string> | undefined): string {
  const text = optionText(options)
  return text === 'none' ? '' : `with ${text}`
}

// typeText writes what a type consists of.
export function typeText({ values, domain }: NamedType): string {
  if (!domain) return (values ?? []).map((v) => v.name).join(', ')
  const words = [domain.base]
  if (domain.notNull) words.push('not null')
  if (domain.default) words.push(`default ${domain.default}`)
  for (const c of domain.checks ?? []) words.push(`check ${c.expression}`)
  return words.join(' ')
}

// typeParts lists what differs in a type. It is settled as a whole.
export function typeParts(before: NamedType, after: NamedType): Part[] {
  const pairs: [name: string, was: string, is: string][] = [
    ['name', before.name, after.name],
    ['schema', before.schema, after.schema],
    [after.domain ? 'definition' : 'values', typeText(before), typeText(after)],
    ['comment', before.comment ?? 'none', after.comment ?? 'none'],
  ]
  return pairs
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => ({ key: '', kind: 'table', tone: 'change', name: '', fields: [{ key: '', name, before: was, after: is }] }))
}
