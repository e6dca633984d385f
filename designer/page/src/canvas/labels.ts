import { bounds, type Rect } from './geometry'
import { textWidth } from './measure'
import { wordsOf } from './names'

// Which names are written on tables that are painted, and where: as many as
// can be read without one covering another, those of the tables with most
// relations first. A name that fits into its table is folded there.

export interface Label {
  x: number // the middle, in pixels of the screen
  y: number
  rows: readonly string[]
}

interface Named extends Rect {
  title: string
}

interface View {
  x: number
  y: number
  zoom: number
  width: number
  height: number
}

export const letters = 11 // height of names, in pixels of the screen
export const lineHeight = 13
const pad = 3
const overhang = 14 // of names beyond the outermost tables: no more than is left free round the whole
const apart = { x: 12, y: 8 } // of labels that stand on more than their own table

// labelsOf expects tables by their weight, the heaviest first.
export function labelsOf(tables: readonly Named[], v: View): Label[] {
  const taken = new Taken()
  const labels: Label[] = []
  const all = bounds(tables)
  if (!all) return labels
  const [left, right] = [all.x * v.zoom + v.x - overhang, (all.x + all.width) * v.zoom + v.x + overhang]
  for (const r of tables) {
    const middle = (r.x + r.width / 2) * v.zoom + v.x
    const y = (r.y + r.height / 2) * v.zoom + v.y
    if (middle < -100 || y < -50 || middle > v.width + 100 || y > v.height + 50) continue
    const inside = folded(r.title, r.width * v.zoom - 2 * pad, r.height * v.zoom)
    const rows = inside ?? [r.title]
    const text = Math.max(...rows.map((row) => textWidth(row, letters, true)))
    const x = Math.max(left + text / 2, Math.min(right - text / 2, middle))
    const width = text + 2 * (inside ? pad : apart.x)
    const height = rows.length * lineHeight + 2 * (inside ? 0 : apart.y)
    if (taken.take({ x: x - width / 2, y: y - height / 2, width, height })) labels.push({ x, y, rows })
  }
  return labels
}

// folded breaks a name into rows that fit, null where it does not.
export function folded(name: string, width: number, height: number): string[] | null {
  const rows: string[] = []
  for (const word of wordsOf(name)) {
    const last = rows.at(-1)
    if (last !== undefined && textWidth(last + word, letters, true) <= width) rows[rows.length - 1] = last + word
    else rows.push(word)
  }
  return rows.length * lineHeight <= height && rows.every((row) => textWidth(row, letters, true) <= width) ? rows : null
}

// Taken is the ground that labels stand on, in bands.
class Taken {
  private readonly bands = new Map<number, Rect[]>()

  // take reports whether there was room, and uses it.
  take(rect: Rect): boolean {
    const [first, last] = [Math.floor(rect.y / lineHeight), Math.floor((rect.y + rect.height) / lineHeight)]
    for (let band = first; band <= last; band++) {
      for (const other of this.bands.get(band) ?? []) {
        if (rect.x < other.x + other.width && other.x < rect.x + rect.width && rect.y < other.y + other.height && other.y < rect.y + rect.height) return false
      }
    }
    for (let band = first; band <= last; band++) {
      const list = this.bands.get(band)
      if (list) list.push(rect)
      else this.bands.set(band, [rect])
    }
    return true
  }
}
