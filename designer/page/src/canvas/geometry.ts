import type { Column, Id, Position, Table } from '../api/types'
import { typeOf } from '../store/design'
import { textWidth } from './measure'

// How big a table is on the canvas and where its columns are. Sizes follow
// from the table alone, never from the DOM: edges, placement and arranging
// know them before anything is drawn. canvas.css has the same numbers.

export const headHeight = 34
export const rowHeight = 24
export const tailHeight = 6
const mostRows = 30 // a longer table is cut with a row that says so

export interface Size {
  width: number
  height: number
}

export interface Rect extends Position, Size {}

// Ground is what a table stands on.
export interface Ground extends Rect {
  id: Id
}

const sizes = new WeakMap<Table, Size>()

// sizeOf is remembered per table object: a changed table is another object. One
// that is collapsed where it stands is as wide as it was.
export function sizeOf(table: Table, at?: Position): Size {
  if (at?.collapsed) return { width: sizeOf(table).width, height: headHeight }
  const known = sizes.get(table)
  if (known) return known
  const size = { width: widthOf(table), height: headHeight + rowsOf(table) * rowHeight + tailHeight }
  sizes.set(table, size)
  return size
}

// A table is as wide as its widest row, up to a limit beyond which types, and
// then names, are cut. What stands beside the text is in canvas.css.
const rowRest = 8 + 16 + 6 + 14 + 8 + 12 // before the name, between name and type, the null mark, the end
const narrowestType = 40
const widestType = 190 // lists of values are cut first
const narrowest = 180
const widest = 460

// unsaid are schemas that most titles leave out, being a dialect's default.
const unsaid = new Set(['', 'main', 'public', 'dbo'])

function widthOf(table: Table): number {
  const title = unsaid.has(table.schema) ? table.name : `${table.schema}.${table.name}`
  let longest = textWidth(title, 14, true) + 24
  const keys = new Set(table.primaryKey?.columns)
  for (const c of shownColumns(table)) {
    const type = Math.min(widestType, Math.max(narrowestType, textWidth(typeOf(c), 12)))
    longest = Math.max(longest, textWidth(c.name, 13, keys.has(c.id)) + type + rowRest)
  }
  return Math.min(widest, Math.max(narrowest, Math.ceil((longest + 2) / 10) * 10))
}

// isTight reports whether the text of a row must be cut. Only such a row pays
// for being clipped, which is what most of moving the canvas would cost else.
export function isTight(table: Table, column: Column, type = typeOf(column)): boolean {
  const isKey = table.primaryKey?.columns.includes(column.id) ?? false
  return textWidth(column.name, 13, isKey) + textWidth(type, 12) + rowRest > sizeOf(table).width
}

export function isCut(table: Table): boolean {
  return table.columns.length > mostRows
}

export function shownColumns(table: Table): Table['columns'] {
  return isCut(table) ? table.columns.slice(0, mostRows - 1) : table.columns
}

function rowsOf(table: Table): number {
  return Math.max(1, Math.min(table.columns.length, mostRows))
}

// rowMiddle is the height of a column's middle below the table's top; of a
// column that is cut off, that of the row which stands for it; of a collapsed
// table, that of its title.
export function rowMiddle(table: Table, column: Id | undefined, at?: Position): number {
  if (at?.collapsed) return headHeight / 2
  const index = table.columns.findIndex((c) => c.id === column)
  const row = Math.min(Math.max(index, 0), rowsOf(table) - 1)
  return headHeight + (row + 0.5) * rowHeight
}

export function overlaps(a: Rect, b: Rect, gap = 0): boolean {
  return a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap
}

// runsBy reports whether a way comes nearer to a rectangle than a gap. Of parts that
// are neither level nor upright it takes what they span.
export function runsBy(points: readonly Position[], t: Rect, gap = 0): boolean {
  return points.some((p, i) => {
    const q = points[i + 1]
    if (!q) return false
    return (
      Math.min(p.x, q.x) < t.x + t.width + gap && Math.max(p.x, q.x) > t.x - gap && Math.min(p.y, q.y) < t.y + t.height + gap && Math.max(p.y, q.y) > t.y - gap
    )
  })
}

export function bounds(rects: Iterable<Rect>): Rect | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const r of rects) {
    left = Math.min(left, r.x)
    top = Math.min(top, r.y)
    right = Math.max(right, r.x + r.width)
    bottom = Math.max(bottom, r.y + r.height)
  }
  return left === Infinity ? null : { x: left, y: top, width: right - left, height: bottom - top }
}

// crowd are the rectangles where most of them lie: round the middle of the
// fullest of squares with such a side.
export function crowd(rects: readonly Rect[], side: number): Rect[] {
  const squares = new Map<string, Rect[]>()
  for (const r of rects) {
    const square = `${Math.floor(r.x / side)} ${Math.floor(r.y / side)}`
    const others = squares.get(square)
    if (others) others.push(r)
    else squares.set(square, [r])
  }
  const [fullest = []] = [...squares.values()].sort((a, b) => b.length - a.length)
  const [x, y] = [mean(fullest.map((r) => r.x)), mean(fullest.map((r) => r.y))]
  const near = rects.filter((r) => Math.max(Math.abs(r.x - x), Math.abs(r.y - y)) < side / 2)
  return near.length > 0 ? near : fullest
}

const mean = (of: number[]): number => of.reduce((sum, n) => sum + n, 0) / of.length

// rectsOf is the ground that tables stand on, those without a place left out.
export function rectsOf(tables: Iterable<Table>, positions: Readonly<Record<Id, Position>>): Ground[] {
  const rects: Ground[] = []
  for (const table of tables) {
    const at = positions[table.id]
    if (at) rects.push({ id: table.id, x: at.x, y: at.y, ...sizeOf(table, at) })
  }
  return rects
}
