import { cutFrom, type Cell, type Rows } from './rows'

// Values as a person takes them away, or looks at them closely.

// textOf is a value alone: NULL is nothing.
export function textOf(cell: Cell): string {
  if (cell.kind === 'null') return ''
  return cell.kind === 'blob' ? `0x${cell.text}` : cell.text
}

// tabbed are cells as spreadsheets paste them.
export function tabbed(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map((cell) => field(textOf(cell))).join('\t')).join('\n')
}

function field(text: string): string {
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// objectOf is a row as JSON. Numbers keep their digits, so they are written as
// they came.
export function objectOf(columns: Rows['columns'], cells: readonly Cell[]): string {
  const members = columns.map((c, i) => `  ${JSON.stringify(c.name)}: ${jsonOf(cells[i])}`)
  return `{\n${members.join(',\n')}\n}`
}

function jsonOf(cell: Cell | undefined): string {
  if (!cell || cell.kind === 'null') return 'null'
  if (cell.kind === 'number' || cell.kind === 'bool') return cell.text
  return JSON.stringify(textOf(cell))
}

// cutIn counts the values that did not come whole.
export function cutIn(cells: readonly Cell[]): number {
  return cells.filter((cell) => cutFrom(cell) !== null).length
}

const longestJson = 1 << 20

// prettyJson lays a text out if it is an object or a list of JSON; else null.
// It only moves what stands between the values, so that all digits and the
// order of members stay.
export function prettyJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return null
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  return (text.match(token) ?? [])
    .map((t, i, all) => {
      if (t === '{' || t === '[') {
        depth++
        return isEnd(all[i + 1]) ? t : t + line()
      }
      if (isEnd(t)) {
        depth--
        return isStart(all[i - 1]) ? t : line() + t
      }
      return t === ',' ? t + line() : t === ':' ? ': ' : t
    })
    .join('')
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

function isStart(t: string | undefined): boolean {
  return t === '{' || t === '['
}

function isEnd(t: string | undefined): boolean {
  return t === '}' || t === ']'
}

// hexDump shows bytes, given in hex, in lines of 16: place, bytes, and what of
// them is ASCII.
export function hexDump(hex: string): string {
  const out: string[] = []
  for (let at = 0; at < hex.length; at += 32) {
    const bytes = hex.slice(at, at + 32).match(/../g) ?? []
    const ascii = bytes.map((b) => (/^[2-6]|^7[^f]/i.test(b) ? String.fromCharCode(parseInt(b, 16)) : '.')).join('')
    out.push(`${(at / 2).toString(16).padStart(8, '0')}  ${bytes.join(' ').padEnd(47)}  ${ascii}`)
  }
  return out.join('\n')
}
