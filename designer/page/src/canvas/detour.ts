import type { Id, Position } from '../api/types'
import { overlaps, runsBy, type Ground, type Rect } from './geometry'

// A line that would run behind other tables goes round them, in straight parts
// with round corners, where such a way meets fewer of them.

export interface Way {
  path: string
  points: readonly Position[] // where it turns
}

interface Ends {
  of: readonly Id[] // the tables that the line joins
  from: Position
  side: number // -1, 1: where the line leaves
  to: Position
  refSide: number
  controls: readonly [number, number] // of the curve that is drawn where nothing is in the way
}

const clearance = 5 // of a line from tables that it passes
const beside = 16 // a way along a table
const corner = 14
const reach = 400 // of ways beyond the ends of a line
const crowd = 80 // tables about a line, among which looking for a way takes long and finds a maze

// detour returns null where the curve is as good as any way round.
export function detour(ends: Ends, all: readonly Ground[]): Way | null {
  const near = ground(ends)
  const tables = all.filter((t) => overlaps(t, near) && !ends.of.includes(t.id))
  if (tables.length > crowd) return null
  const direct = curve(ends, 21)
  const met = tables.filter((t) => direct.some((p) => inside(p, t)))
  if (met.length === 0) return null
  let best: { points: Position[]; cost: number } | null = null
  for (const points of ways(ends, met)) {
    const count = tables.filter((t) => runsBy(points, t, clearance)).length
    const cost = count * 10_000 + lengthOf(points)
    if (count < met.length && (!best || cost < best.cost)) best = { points, cost }
  }
  return best && { path: rounded(best.points), points: best.points }
}

// ground is where the line may run, whichever way it takes.
function ground({ from, to, controls }: Ends): Rect {
  const [left, right] = [Math.min(from.x, to.x, ...controls), Math.max(from.x, to.x, ...controls)]
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  return { x: left - reach, y: top - reach, width: right - left + 2 * reach, height: bottom - top + 2 * reach }
}

// curve is a number of points along the curve, its ends among them.
export function curve({ from, to, controls: [c1, c2] }: Pick<Ends, 'from' | 'to' | 'controls'>, count: number): Position[] {
  return Array.from({ length: count }, (_, i) => {
    const t = i / (count - 1)
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
    return { x: a * from.x + b * c1 + c * c2 + d * to.x, y: (a + b) * from.y + (c + d) * to.y }
  })
}

function inside({ x, y }: Position, table: Rect): boolean {
  return x > table.x && x < table.x + table.width && y > table.y && y < table.y + table.height
}

// ways yields lines with one upright part between the tables, or beside both;
// and lines along the upper or lower edge of what is in the way.
function* ways({ from, side, to, refSide }: Ends, met: readonly Rect[]): Generator<Position[]> {
  const apart = ((Math.round(from.y / 24) % 5) - 2) * 5 // so that the ways of several rows are told apart
  const gap = (to.x - from.x) * side
  const facing = side !== refSide && gap > 0
  if (facing) for (const part of [0.5, 0.15, 0.85, 0.3, 0.7]) yield upright(from, to, from.x + side * gap * part + (gap > 80 ? apart : 0))
  if (side === refSide) {
    const outer = side > 0 ? Math.max(from.x, to.x) : Math.min(from.x, to.x)
    for (const far of [30, 80, 150]) yield upright(from, to, outer + side * far + apart)
  }
  if (!facing || gap < 60) return
  const [first, last] = [from.x + side * (20 + apart), to.x - side * (20 + apart)]
  for (const table of met) {
    for (const y of [table.y - beside + apart / 2, table.y + table.height + beside + apart / 2]) {
      yield [from, { x: first, y: from.y }, { x: first, y }, { x: last, y }, { x: last, y: to.y }, to]
    }
  }
}

function upright(from: Position, to: Position, x: number): Position[] {
  return [from, { x, y: from.y }, { x, y: to.y }, to]
}

function lengthOf(points: readonly Position[]): number {
  return points.reduce((sum, p, i) => sum + distance(p, points[i + 1] ?? p), 0)
}

function distance(p: Position, q: Position): number {
  return Math.abs(p.x - q.x) + Math.abs(p.y - q.y)
}

// rounded draws on from the first point, where the line stands already.
function rounded(points: readonly Position[]): string {
  let path = ''
  for (let i = 1; i < points.length; i++) {
    const [before, at, after] = [points[i - 1], points[i], points[i + 1]]
    if (!before || !at) continue
    if (!after) return `${path}L${at.x} ${at.y}`
    const radius = Math.min(corner, distance(before, at) / 2, distance(at, after) / 2)
    const start = towards(at, before, radius)
    const end = towards(at, after, radius)
    path += `L${start.x} ${start.y}Q${at.x} ${at.y} ${end.x} ${end.y}`
  }
  return path
}

function towards(p: Position, q: Position, length: number): Position {
  return { x: p.x + Math.sign(q.x - p.x) * length, y: p.y + Math.sign(q.y - p.y) * length }
}
