import type { Edit, ObjectRef } from '../api/edits'
import type { TypeEdit } from '../api/namedType'
import type { Id } from '../api/types'
import { matches, tableOf } from './apply'
import { equal, fullName, type Design } from './design'

// Clash is one thing that an edit is about and that somebody else has changed
// since the person saw it: what it is now, and what the edit would make of it.
export interface Clash {
  what: string // "column mail of main.customer"
  theirs: string
  mine: string
  gone: boolean // it is no longer there, and nothing can be made of it
}

// clash says why an edit that was made looking at `seen` must not just be made
// on `now`, or null where what it touches is still as the person saw it.
export function clash(edit: Edit, seen: Design, now: Design): Clash | null {
  if (!('table' in edit)) return clashOfType(edit, seen, now)
  if (edit.op === 'add_table') return null
  const before = tableOf(seen, edit.table)
  if (!before) return null // made by an earlier edit of the same person; the instance will tell
  const after = now.tables.get(before.id) ?? tableOf(now, edit.table)
  const what = `table ${fullName(before)}`
  if (!after) return { what, theirs: 'dropped', mine: wish(edit), gone: true }
  const of = (kind: string, ref: ObjectRef, left: readonly Part[] | undefined, right: readonly Part[] | undefined): Clash | null =>
    part({ kind, owner: fullName(before), edit, was: left?.find((p) => matches(ref, p)), list: right })
  switch (edit.op) {
    case 'drop_table':
      return equal(before, after) ? null : { what, theirs: changes(before, after), mine: wish(edit), gone: false }
    case 'set_table':
      return Object.keys(edit.set).every((f) => equal(field(before, f), field(after, f))) ? null : { what, theirs: `now ${fullName(after)}`, mine: wish(edit), gone: false }
    case 'set_column':
    case 'drop_column':
      return of('column', edit.column, before.columns, after.columns)
    case 'set_foreign_key':
    case 'drop_foreign_key':
      return of('foreign key', edit.foreignKey, before.foreignKeys, after.foreignKeys)
    case 'set_index':
    case 'drop_index':
      return of('index', edit.index, before.indexes, after.indexes)
    case 'drop_check':
      return of('check', edit.check, before.checks, after.checks)
    default:
      return null
  }
}

function clashOfType(edit: TypeEdit, seen: Design, now: Design): Clash | null {
  if (edit.op === 'add_type') return null
  const was = seen.types.find((t) => t.id === edit.type.id)
  const is = now.types.find((t) => t.id === edit.type.id)
  if (!was || (is && equal(was, is))) return null
  return { what: `type ${fullName(was)}`, theirs: is ? changes(was, is) : 'dropped', mine: wish(edit), gone: !is }
}

interface Part {
  id: Id
  name?: string
}

interface PartOf {
  kind: string
  owner: string
  edit: Edit
  was: Part | undefined // as the person saw it
  list: readonly Part[] | undefined // as they are
}

function part({ kind, owner, edit, was, list }: PartOf): Clash | null {
  if (!was) return null
  const what = `${kind} ${was.name ?? ''} of ${owner}`.replace('  ', ' ')
  const is = list?.find((p) => p.id === was.id)
  if (!is) return { what, theirs: 'dropped', mine: wish(edit), gone: true }
  // Of a column only the fields that the edit writes count.
  const same = edit.op === 'set_column' ? Object.keys(edit.set).every((f) => equal(field(was, f), field(is, f))) : equal(was, is)
  return same ? null : { what, theirs: changes(was, is), mine: wish(edit), gone: false }
}

function field(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name]
}

// changes says what became of something: "name mail, was email".
function changes(was: object, is: object): string {
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  const changed = [...names].filter((name) => !equal(field(was, name), field(is, name)))
  const told = changed.map((name) => {
    const [old, now] = [field(was, name), field(is, name)]
    return simple(old) && simple(now) ? `${name} ${said(now)}, was ${said(old)}` : `${name} changed`
  })
  return told.join('; ')
}

// wish says what an edit would make of it: "name email".
function wish(edit: Edit): string {
  if (!('set' in edit)) return edit.op.startsWith('drop') ? 'dropped' : 'changed'
  return Object.entries(edit.set)
    .map(([name, value]) => (simple(value) ? `${name} ${said(value)}` : `${name} changed`))
    .join('; ')
}

function simple(value: unknown): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null
}

function said(value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null || value === '') return 'none'
  return value === true ? 'yes' : value === false ? 'no' : String(value)
}
