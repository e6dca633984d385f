import type { TableName } from '../../api/types'
import { cutFrom, type Cell, type Rows } from './rows'

// Changes of rows that a person has made in the panel and not run yet.

// Entry is a value as the instance takes it.
export interface Entry {
  as?: 'number' | 'bool' | 'blob' | 'null'
  text?: string
}

export type Values = Readonly<Record<string, Entry>>

export interface Edit {
  kind: 'update' | 'insert' | 'delete'
  id: string // of the row
  row: Values // as it was read; without what was cut
  set: Values
}

// Change is an edit as a request has it.
export type Change = Pick<Edit, 'kind' | 'row' | 'set'>

export interface RowChanges {
  table: TableName
  changes: Change[]
}

// entryOf is a value that was read; null where it is not known whole.
export function entryOf(cell: Cell): Entry | null {
  if (cell.kind === 'null') return { as: 'null' }
  if (cutFrom(cell) !== null) return null
  return cell.kind === 'text' ? { text: cell.text } : { as: cell.kind, text: cell.text }
}

// cellOf is an entry as the table shows it.
export function cellOf({ as, text = '' }: Entry): Cell {
  if (as === 'null') return { kind: 'null' }
  if (as === 'blob') return { kind: 'blob', text, whole: text.length / 2 }
  if (as === 'bool') return { kind: 'bool', text: text === 'true' ? 'true' : 'false' }
  return { kind: as ?? 'text', text }
}

const bytes = /^(tiny|medium|long)?blob|binary|^bytea$|^image$/i
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

// typed is what a person's text means in a column, whose cell it replaces. The
// servers read a text as the column's type; SQLite keeps it as it comes.
export function typed(text: string, column: { type: string }, cell: Cell, dialect: string): Entry | { error: string } {
  if (cell.kind === 'blob' || (bytes.test(column.type) && cell.kind !== 'text')) {
    const hex = text.replace(/^0x/i, '').replace(/\s/g, '').toLowerCase()
    if (!/^([0-9a-f]{2})*$/.test(hex)) return { error: 'Bytes are written as hex digits, two a byte: 00ff.' }
    return { as: 'blob', text: hex }
  }
  if (dialect === 'sqlite' && number.test(text.trim()) && takesNumbers(column.type, cell)) return { as: 'number', text: text.trim() }
  return { text }
}

// takesNumbers goes by the column's affinity, and by what was there where it
// has none.
function takesNumbers(type: string, cell: Cell): boolean {
  if (/int/i.test(type)) return true
  if (/char|clob|text/i.test(type)) return false
  return type === '' || /blob/i.test(type) ? cell.kind === 'number' : true
}

// writtenAs is a value as the editor begins with it.
export function writtenAs(cell: Cell): string {
  return cell.kind === 'null' ? '' : cell.text
}

// identity names a row by its key, or by all of it where no key is known.
export function identity(columns: Rows['columns'], cells: readonly Cell[], key: readonly string[]): string {
  return JSON.stringify(cells.filter((_, i) => key.length === 0 || key.includes(columns[i]?.name ?? '')))
}

// readValues are the values of a row that came whole.
export function readValues(columns: Rows['columns'], cells: readonly Cell[]): Values {
  const out: Record<string, Entry> = {}
  columns.forEach((c, i) => {
    const entry = cells[i] && entryOf(cells[i])
    if (entry) out[c.name] = entry
  })
  return out
}

// put adds a change of a row, or makes it another one. A value that is what
// was read is no change, and a change of nothing is none.
export function put(edits: readonly Edit[], edit: Edit): Edit[] {
  const set = Object.fromEntries(Object.entries(edit.set).filter(([name, value]) => !sameEntry(edit.row[name], value)))
  const next = { ...edit, set }
  const gone = edit.kind === 'update' && Object.keys(set).length === 0
  if (!edits.some((e) => e.id === edit.id)) return gone ? [...edits] : [...edits, next]
  return edits.flatMap((e) => (e.id !== edit.id ? [e] : gone ? [] : [next]))
}

function sameEntry(a: Entry | undefined, b: Entry): boolean {
  return a?.as === b.as && (a?.text ?? '') === (b.text ?? '') && a !== undefined
}

// take leaves the change of a row out.
export function take(edits: readonly Edit[], id: string): Edit[] {
  return edits.filter((e) => e.id !== id)
}

const turn = { delete: 0, update: 1, insert: 2 }

// ordered has rows deleted before others take their unique values.
export function ordered(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((a, b) => turn[a.kind] - turn[b.kind])
}

// changesOf are edits as the instance takes them.
export function changesOf(table: TableName, edits: readonly Edit[]): RowChanges {
  return { table, changes: edits.map(({ kind, row, set }) => ({ kind, row, set })) }
}
