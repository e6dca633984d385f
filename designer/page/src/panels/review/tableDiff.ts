import type { Column, ForeignKey, Id, Index, Table } from '../../api/types'
import { typeOf } from '../../store/design'

// A table before and after, part by part, in words that can be compared.

export type PartState = 'added' | 'dropped' | 'changed' | 'same'

export interface PartDiff {
  kind: 'table' | 'column' | 'primary key' | 'foreign key' | 'index' | 'check'
  state: PartState
  name: string // afterwards, or before it was dropped
  was?: string // its name before, where that differs
  before?: string
  after?: string
}

export type NameOf = (table: Id | undefined) => string

interface Described {
  id: string
  name: string
  text: string
}

// diffTables compares two states of a table; either may be absent. nameOf
// names other tables.
export function diffTables(before: Table | undefined, after: Table | undefined, nameOf: NameOf, column: (table: Id | undefined, id: Id | undefined) => string): PartDiff[] {
  const head = tableParts(before, after)
  const lists: [PartDiff['kind'], (t: Table) => Described[]][] = [
    ['column', columnsOf],
    ['primary key', (t) => (t.primaryKey ? [{ id: 'key', name: t.primaryKey.name ?? '', text: names(t, t.primaryKey.columns) }] : [])],
    ['foreign key', (t) => (t.foreignKeys ?? []).map((k) => ({ id: k.id, name: k.name ?? '', text: keyText(t, k, nameOf, column) }))],
    ['index', (t) => (t.indexes ?? []).map((x) => ({ id: x.id, name: x.name ?? '', text: indexText(t, x) }))],
    ['check', (t) => (t.checks ?? []).map((c) => ({ id: c.id, name: c.name ?? '', text: c.expression }))],
  ]
  return [...head, ...lists.flatMap(([kind, list]) => parts(kind, before ? list(before) : [], after ? list(after) : []))]
}

function tableParts(before: Table | undefined, after: Table | undefined): PartDiff[] {
  if (!before || !after) return []
  const out: PartDiff[] = []
  const compare = (name: string, was = '', is = ''): void => {
    if (was !== is) out.push({ kind: 'table', state: 'changed', name, before: was, after: is })
  }
  compare('name', before.name, after.name)
  compare('schema', before.schema, after.schema)
  compare('comment', before.comment, after.comment)
  return out
}

// parts keeps the order of what is there afterwards, with what went in its old
// place.
function parts(kind: PartDiff['kind'], before: Described[], after: Described[]): PartDiff[] {
  const old = new Map(before.map((p) => [p.id, p]))
  const kept = new Set(after.map((p) => p.id))
  const out = after.map((p): PartDiff => {
    const b = old.get(p.id)
    if (!b) return { kind, state: 'added', name: p.name, after: p.text }
    const same = b.text === p.text && b.name === p.name
    return { kind, state: same ? 'same' : 'changed', name: p.name, before: b.text, after: p.text, ...(b.name === p.name ? {} : { was: b.name }) }
  })
  before.forEach((p, i) => {
    if (!kept.has(p.id)) out.splice(Math.min(i, out.length), 0, { kind, state: 'dropped', name: p.name, before: p.text })
  })
  return out
}

function columnsOf(t: Table): Described[] {
  return t.columns.map((c) => ({ id: c.id, name: c.name, text: columnText(c) }))
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

function keyText(t: Table, k: ForeignKey, nameOf: NameOf, column: (table: Id | undefined, id: Id | undefined) => string): string {
  const own = names(t, k.mappings.map((m) => m.column))
  const other = k.refTable === t.id ? names(t, k.mappings.flatMap((m) => m.refColumn ?? [])) : k.mappings.map((m) => column(k.refTable, m.refColumn)).join(', ')
  const actions = [k.onDelete === 'no_action' ? '' : `on delete ${k.onDelete.replace('_', ' ')}`, k.onUpdate === 'no_action' ? '' : `on update ${k.onUpdate.replace('_', ' ')}`]
  return [`(${own}) → ${k.dangling ? k.dangling.table : nameOf(k.refTable)} (${other})`, ...actions.filter(Boolean)].join(' ')
}

function indexText(t: Table, x: Index): string {
  const on = x.parts.map((p) => (p.column ? names(t, [p.column]) : (p.expression ?? '')) + (p.descending ? ' desc' : '')).join(', ')
  return `${x.unique ? 'unique ' : ''}(${on})${x.where ? ` where ${x.where}` : ''}`
}
