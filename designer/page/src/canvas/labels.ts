import { bounds, overlaps, type Rect } from './geometry'
import { textWidth } from './measure'
import { chopped, folded, leastLetters, sizes } from './shorten'
import { Taken } from './taken'

// Which names are written on tables that are painted, and where. A name stands
// in the room of its table: whole where it fits, in smaller letters, or
// shortened. Where tables are too small for that, as many whole names as can be
// read are written across them, those of the tables with most relations first.

export interface Label {
  x: number // the middle, in pixels of the screen
  y: number
  rows: readonly string[]
  size: number // height of letters
  title: string
}

export interface Named extends Rect {
  title: string
  short: string // without what many titles begin with
}

interface View {
  x: number
  y: number
  zoom: number
  width: number
  height: number
}

export const lineOf = (size: number): number => Math.round(size * 1.2)
const pad = 2
const share = 19 // of the ground between tables, in pixels of the canvas: each of two has a half
const overhang = 14 // of names beyond the outermost tables: no more than is left free round the whole
const apart = { x: 12, y: 8 } // of labels that stand on more than their own table
const closer = { x: 6, y: 3 } // of those in smaller letters, which fill what is left

interface Seen {
  table: Named
  box: Rect // on the screen
  label: Label | null // in the table's own room
}

// labelsOf expects tables by their weight, the heaviest first.
export function labelsOf(tables: readonly Named[], v: View): Label[] {
  const all = bounds(tables)
  if (!all) return []
  const seen = inView(tables, v)
  const taken = new Taken()
  const labels: Label[] = []
  const put = (label: Label, margin: { x: number; y: number }): void => {
    if (taken.take(groundOf(label, margin))) labels.push(label)
  }
  const [left, right] = [all.x * v.zoom + v.x - overhang, (all.x + all.width) * v.zoom + v.x + overhang]
  const within = (some: readonly Seen[]): void => some.forEach(({ label }) => label && put(label, { x: 0, y: 0 }))
  const rest = (): Seen[] => {
    const named = new Set(labels.map((l) => l.title))
    return seen.filter((s) => !named.has(s.table.title))
  }
  const across = (): void => {
    const [large, small] = sizes
    rest().forEach((s) => put(acrossOthers(s, s.table.title, large, left, right), apart))
    rest().forEach((s) => put(acrossOthers(s, shortened(s.table), small, left, right), closer))
  }
  if (seen.filter((s) => s.label).length * 2 >= seen.length) {
    within(seen)
    across()
  } else {
    across()
    within(rest())
  }
  return labels
}

function inView(tables: readonly Named[], v: View): Seen[] {
  const boxes = tables.flatMap((table) => {
    const box = { x: table.x * v.zoom + v.x, y: table.y * v.zoom + v.y, width: table.width * v.zoom, height: table.height * v.zoom }
    return overlaps(box, { x: -100, y: -50, width: v.width + 200, height: v.height + 100 }) ? [{ table, box }] : []
  })
  const stood = new Taken()
  for (const { box } of boxes) stood.add(box)
  return boxes.map(({ table, box }) => ({ table, box, label: ownRoom(table, box, share * v.zoom, stood) }))
}

// ownRoom writes a name on its table, or a little beyond it where nothing else is.
function ownRoom(table: Named, box: Rect, more: number, stood: Taken): Label | null {
  const wide = { x: box.x - more, y: box.y - more, width: box.width + 2 * more, height: box.height + 2 * more }
  if (wide.width < leastLetters * 5 || wide.height < lineOf(Math.min(...sizes))) return null
  const { width, height } = stood.isFree(wide, box) ? wide : box
  const written = fitted(table, width - 2 * pad, height)
  return written && { x: box.x + box.width / 2, y: box.y + box.height / 2, title: table.title, ...written }
}

function shortened({ title, short }: Omit<Named, keyof Rect>): string {
  return short === title ? title : `…${short}`
}

function fitted({ title, short }: Named, width: number, height: number): { rows: readonly string[]; size: number } | null {
  for (const name of new Set([title, shortened({ title, short })])) {
    for (const size of sizes) {
      const rows = folded(name, width, height, size, lineOf(size))
      if (rows) return { rows, size }
    }
  }
  const size = Math.min(...sizes)
  const rows = chopped(short, width, Math.floor(height / lineOf(size)), size)
  return rows && { rows, size }
}

function acrossOthers({ table, box }: Seen, text: string, size: number, left: number, right: number): Label {
  const half = textWidth(text, size, true) / 2
  const x = Math.max(left + half, Math.min(right - half, box.x + box.width / 2))
  return { x, y: box.y + box.height / 2, rows: [text], size, title: table.title }
}

export function groundOf({ x, y, rows, size }: Label, margin: { x: number; y: number }): Rect {
  const width = Math.max(...rows.map((row) => textWidth(row, size, true))) + 2 * margin.x
  const height = rows.length * lineOf(size) + 2 * margin.y
  return { x: x - width / 2, y: y - height / 2, width, height }
}
