import type { Id, Position, Table } from '../api/types'
import type { Design } from '../store/design'
import { bounds, overlaps, sizeOf, type Rect, type Size } from './geometry'
import { neighbours } from './relations'

// Where tables go that nobody has placed. Tables that have their place keep
// it, whatever comes: adding one never moves another.

const gap = 40
const step = 40 // of the search for a free spot

export type Positions = Readonly<Record<Id, Position>>

// place returns positions for the tables that have none: beside a table they
// are related to where there is one, else near the point of interest.
export function place(design: Design, positions: Positions, near: Position): Record<Id, Position> {
  const missing = [...design.tables.values()].filter((t) => !positions[t.id])
  if (missing.length === 0) return {}
  if (missing.length === design.tables.size) return grid(missing)
  const taken = new Occupied()
  const at: Record<Id, Position> = {}
  for (const table of design.tables.values()) {
    const p = positions[table.id]
    if (p) taken.add({ ...p, ...sizeOf(table) }) // whole, though it be collapsed: it will be expanded
  }
  const related = neighbours(design)
  for (const table of missing) {
    const friend = [...(related.get(table.id) ?? [])].find((id) => positions[id] ?? at[id])
    const origin = friend === undefined ? near : beside(design, friend, positions[friend] ?? at[friend] ?? near)
    const spot = taken.freeSpot(roomFor(table), origin)
    at[table.id] = spot
    taken.add({ ...spot, ...roomFor(table) })
  }
  return at
}

const begun = 2 // columns of a table that has only been begun
const soon: Size = { width: 240, height: 280 } // what it may soon take

// roomFor is the room that a new table is given: one that has only been begun
// would else grow over the one below it.
function roomFor(table: Table): Size {
  const { width, height } = sizeOf(table)
  return table.columns.length > begun ? { width, height } : { width: Math.max(width, soon.width), height: Math.max(height, soon.height) }
}

function beside(design: Design, id: Id, at: Position): Position {
  const table = design.tables.get(id)
  return table ? { x: at.x + sizeOf(table).width + 2 * gap, y: at.y } : at
}

// grid lays tables out in columns of about equal height, tables of one schema
// together: what is seen until there is a better arrangement.
export function grid(tables: readonly Table[]): Record<Id, Position> {
  const sorted = [...tables].sort((a, b) => a.schema.localeCompare(b.schema) || a.name.localeCompare(b.name))
  const area = sorted.reduce((sum, t) => sum + (sizeOf(t).width + gap) * (sizeOf(t).height + gap), 0)
  const high = Math.max(600, Math.sqrt(area / 1.6))
  const at: Record<Id, Position> = {}
  let [x, y, wide] = [0, 0, 0]
  for (const t of sorted) {
    const size = sizeOf(t)
    if (y > 0 && y + size.height > high) [x, y, wide] = [x + wide + 2 * gap, 0, 0]
    at[t.id] = { x, y }
    y += size.height + gap
    wide = Math.max(wide, size.width)
  }
  return at
}

// Occupied is the ground that tables stand on, in cells, so that a look for
// free space touches only what is near.
export class Occupied {
  private readonly cells = new Map<string, Rect[]>()
  private static readonly cell = 400

  add(rect: Rect): void {
    for (const key of this.keys(rect)) {
      const list = this.cells.get(key)
      if (list) list.push(rect)
      else this.cells.set(key, [rect])
    }
  }

  free(rect: Rect): boolean {
    for (const key of this.keys({ x: rect.x - gap, y: rect.y - gap, width: rect.width + 2 * gap, height: rect.height + 2 * gap })) {
      for (const other of this.cells.get(key) ?? []) if (overlaps(rect, other, gap)) return false
    }
    return true
  }

  // freeSpot goes round origin in growing squares until there is room.
  freeSpot(size: Size, origin: Position): Position {
    for (let ring = 0; ring < 2_000; ring++) {
      for (const [dx, dy] of around(ring)) {
        const spot = { x: origin.x + dx * step, y: origin.y + dy * step }
        if (this.free({ ...spot, ...size })) return spot
      }
    }
    const all = bounds([...this.cells.values()].flat()) // wider than any screen: below everything
    return { x: origin.x, y: all ? all.y + all.height + gap : origin.y }
  }

  private *keys(rect: Rect): Generator<string> {
    const { cell } = Occupied
    for (let x = Math.floor(rect.x / cell); x <= Math.floor((rect.x + rect.width) / cell); x++) {
      for (let y = Math.floor(rect.y / cell); y <= Math.floor((rect.y + rect.height) / cell); y++) yield `${x},${y}`
    }
  }
}

// around yields the steps of one square round the origin, to the right first.
function* around(ring: number): Generator<[number, number]> {
  if (ring === 0) {
    yield [0, 0]
    return
  }
  for (let i = -ring; i <= ring; i++) {
    yield [ring, i]
    yield [i, ring]
    yield [-ring, i]
    yield [i, -ring]
  }
}
