import { cellOf, entryOf, identity, put, readValues, take, type Edit, type Entry } from './edits'
import type { Cell, Rows } from './rows'

// Rows as they are shown: those that were read with what is pending of them,
// and behind them the new ones.

export interface Sheet {
  columns: Rows['columns']
  rows: Cell[][]
  lines: Line[]
}

// Line is what is known of a row beside its cells.
export interface Line {
  id: string
  read: readonly Cell[] | null // null: the row is new
  edit: Edit | undefined
}

const unset: Cell = { kind: 'null' }

export function sheetOf(columns: Rows['columns'], read: readonly Cell[][], edits: readonly Edit[], key: readonly string[]): Sheet {
  const lines: Line[] = read.map((cells) => {
    const id = identity(columns, cells, key)
    return { id, read: cells, edit: edits.find((e) => e.id === id) }
  })
  for (const edit of edits) if (edit.kind === 'insert') lines.push({ id: edit.id, read: null, edit })
  const rows = lines.map((line) => columns.map((c, i) => pendingOf(line, c.name) ?? line.read?.[i] ?? unset))
  return { columns, rows, lines }
}

// pendingOf is the value that a row is to have in a column; null: it keeps
// what it has.
export function pendingOf({ edit }: Line, column: string): Cell | null {
  const entry = edit?.set[column]
  return entry ? cellOf(entry) : null
}

// setCell is what is pending once a cell has another value. was is what the
// cell has in the database, read whole.
export function setCell(edits: readonly Edit[], { columns }: Sheet, line: Line, column: string, entry: Entry, was: Cell): Edit[] {
  const base: Edit = line.edit ?? { kind: 'update', id: line.id, row: line.read ? readValues(columns, line.read) : {}, set: {} }
  const old = line.read && base.row[column] === undefined ? entryOf(was) : null
  return put(edits, { ...base, row: old ? { ...base.row, [column]: old } : base.row, set: { ...base.set, [column]: entry } })
}

// clearCell takes the change of one cell back.
export function clearCell(edits: readonly Edit[], { edit }: Line, column: string): Edit[] {
  if (!edit) return [...edits]
  return put(edits, { ...edit, set: Object.fromEntries(Object.entries(edit.set).filter(([name]) => name !== column)) })
}

// deleteRow marks a row that was read, and forgets one that is new.
export function deleteRow(edits: readonly Edit[], { columns }: Sheet, line: Line): Edit[] {
  if (!line.read) return take(edits, line.id)
  return put(edits, { kind: 'delete', id: line.id, row: readValues(columns, line.read), set: {} })
}

// rebased has a change of a row as that is now.
export function rebased(edits: readonly Edit[], edit: Edit, row: Edit['row']): Edit[] {
  return put(edits, { ...edit, row })
}
