import type { Edit, ObjectRef } from '../api/edits'
import type { Id } from '../api/types'
import { matches, tableOf } from './apply'
import { equal, fullName, type Design } from './design'

// conflict says why an edit that was made looking at `seen` must not be made
// on `now`, or null where what it touches is still as the person saw it.
export function conflict(edit: Edit, seen: Design, now: Design): string | null {
  if (edit.op === 'add_table') return null
  const before = tableOf(seen, edit.table)
  if (!before) return null // made by an earlier edit of the same person; the instance will tell
  const after = now.tables.get(before.id) ?? tableOf(now, edit.table)
  if (!after) return `table ${fullName(before)} is gone`
  switch (edit.op) {
    case 'drop_table':
      return equal(before, after) ? null : `table ${fullName(before)} has changed`
    case 'set_table':
      return before.name === after.name && before.schema === after.schema ? null : `table ${fullName(before)} is now ${fullName(after)}`
    case 'set_column':
    case 'drop_column':
      return part('column', edit.column, before.columns, after.columns, settings(edit))
    case 'set_foreign_key':
    case 'drop_foreign_key':
      return part('foreign key', edit.foreignKey, before.foreignKeys, after.foreignKeys, null)
    case 'set_index':
    case 'drop_index':
      return part('index', edit.index, before.indexes, after.indexes, null)
    case 'drop_check':
      return part('check', edit.check, before.checks, after.checks, null)
    default:
      return null
  }
}

// settings are the fields that a set_column writes; null: all of the column.
function settings(edit: Edit): string[] | null {
  return edit.op === 'set_column' ? Object.keys(edit.set) : null
}

interface Part {
  id: Id
  name?: string
}

function part(kind: string, ref: ObjectRef, before: readonly Part[] | undefined, after: readonly Part[] | undefined, fields: string[] | null): string | null {
  const was = before?.find((p) => matches(ref, p))
  if (!was) return null
  const name = `${kind} ${was.name ?? ''}`.trim()
  const is = after?.find((p) => p.id === was.id)
  if (!is) return `${name} is gone`
  if (fields === null) return equal(was, is) ? null : `${name} has changed`
  const left = was as unknown as Record<string, unknown>
  const right = is as unknown as Record<string, unknown>
  return fields.every((f) => equal(left[f], right[f])) ? null : `${name} has changed`
}
