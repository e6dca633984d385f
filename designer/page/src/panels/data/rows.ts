// Rows as run-query gives them, read without losing a digit.

export type Cell =
  | { kind: 'null' }
  | { kind: 'text'; text: string; whole?: number } // whole: bytes of a value that is cut
  | { kind: 'number'; text: string } // as the instance wrote it
  | { kind: 'bool'; text: 'true' | 'false' }
  | { kind: 'blob'; text: string; whole: number } // hex of its beginning

export interface Rows {
  columns: { name: string; type: string }[]
  rows: Cell[][]
  truncated: boolean // there is more, but the reply was full
}

export interface RawRows {
  columns: { name: string; type: string }[]
  rows: unknown[][]
  truncated: boolean
}

// numbers are wrapped before the text is parsed, since JavaScript writes 1.0
// as 1 and rounds what is longer than it can hold.
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function parseNumbers(text: string): unknown {
  return JSON.parse(text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `{"$number":"${token}"}`)))
}

export function rowsOf(raw: RawRows): Rows {
  return { columns: raw.columns, rows: raw.rows.map((row) => row.map(cellOf)), truncated: raw.truncated }
}

export function parseRows(text: string): Rows {
  return rowsOf(parseNumbers(text) as RawRows)
}

interface Wrapped {
  $number?: string
  $text?: string
  $base64?: string
  $bytes?: { $number: string }
}

function cellOf(value: unknown): Cell {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (typeof value === 'boolean') return { kind: 'bool', text: value ? 'true' : 'false' }
  const { $number, $text, $base64, $bytes } = value as Wrapped
  const whole = $bytes ? Number($bytes.$number) : undefined
  if ($number !== undefined) return { kind: 'number', text: $number }
  if ($base64 !== undefined) {
    const bytes = atob($base64)
    return { kind: 'blob', text: hex(bytes), whole: whole ?? bytes.length }
  }
  return { kind: 'text', text: $text ?? '', ...(whole === undefined ? {} : { whole }) }
}

function hex(bytes: string): string {
  let out = ''
  for (let i = 0; i < bytes.length; i++) out += bytes.charCodeAt(i).toString(16).padStart(2, '0')
  return out
}

const shownInCell = 160

// brief is what of a value stands in the table, and whether that is all.
export function brief(cell: Cell): { text: string; cut: boolean } {
  if (cell.kind === 'null') return { text: 'NULL', cut: false }
  const text = cell.kind === 'blob' ? `0x${cell.text}` : cell.text
  const cut = text.length > shownInCell || cutFrom(cell) !== null
  return { text: text.length > shownInCell ? text.slice(0, shownInCell) : text, cut }
}

// cutFrom is how many bytes a value has that the instance did not send whole;
// null: it did.
export function cutFrom(cell: Cell): number | null {
  if (cell.kind === 'text') return cell.whole ?? null
  return cell.kind === 'blob' && cell.whole > cell.text.length / 2 ? cell.whole : null
}
