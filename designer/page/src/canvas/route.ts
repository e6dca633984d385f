import type { Position, Table } from '../api/types'
import { curve, detour } from './detour'
import { rowMiddle, sizeOf, type Ground } from './geometry'
import type { Relation } from './relations'

// Lines from column to column, with crow's feet at their ends.

export interface Line {
  path: string // the curve
  marks: string // bars and feet at its ends
  circles: { x: number; y: number }[] // "may be none"
  points: readonly Position[] // along it, near enough to one another to tell where it is seen
}

type Side = -1 | 1 // left, right

interface End {
  x: number
  y: number
  side: Side
}

const foot = 12 // length of the mark at an end
const footWidth = 6 // to either side
const circleAt = 16

// route draws the line of a relation between two tables where they stand,
// round others as far as there is a way.
export function route(r: Relation, table: Table, at: Position, refTable: Table, refAt: Position, tables: readonly Ground[] = []): Line {
  const [y, refY] = apart(r, at.y + rowMiddle(table, r.column, at), refAt.y + rowMiddle(refTable, r.refColumn, refAt))
  const [side, refSide] = r.table === r.refTable ? ([1, 1] as const) : sides(at.x, sizeOf(table).width, refAt.x, sizeOf(refTable).width)
  const from = end(at.x, sizeOf(table).width, y, side)
  const to = end(refAt.x, sizeOf(refTable).width, refY, refSide)
  const bend = r.table === r.refTable ? 46 : Math.max(36, Math.min(160, Math.abs(to.x - from.x) / 2))
  const a = from.x + side * foot
  const b = to.x + refSide * foot
  const [c1, c2] = [a + side * bend, b + refSide * bend]
  const ends = { of: [r.table, r.refTable], from: { x: a, y: from.y }, side, to: { x: b, y: to.y }, refSide, controls: [c1, c2] } as const
  const way = r.table === r.refTable ? null : detour(ends, tables)
  return {
    path: `M${from.x} ${from.y}H${a}${way ? way.path : `C${c1} ${from.y} ${c2} ${to.y} ${b} ${to.y}`}H${to.x}`,
    marks: (r.single ? bar(from, 8) : crow(from)) + bar(to, 8),
    circles: [circle(from), ...(r.optional ? [circle(to)] : [])],
    points: [from, ...(way?.points ?? curve(ends, 32)), to],
  }
}

// apart keeps the two ends of a table's relation to itself from lying on one
// another, as those of one row do, and those of a collapsed table.
function apart(r: Relation, y: number, refY: number): [number, number] {
  return r.table === r.refTable && y === refY ? [y + footWidth, y - footWidth] : [y, refY]
}

// sides picks where the line leaves and arrives so that it is short and does
// not run behind its own tables.
function sides(x: number, width: number, refX: number, refWidth: number): [Side, Side] {
  if (x > refX + refWidth + 2 * foot) return [-1, 1]
  if (refX > x + width + 2 * foot) return [1, -1]
  const left = Math.abs(x - refX)
  const right = Math.abs(x + width - refX - refWidth)
  return left < right ? [-1, -1] : [1, 1]
}

function end(x: number, width: number, y: number, side: Side): End {
  return { x: side < 0 ? x : x + width, y, side }
}

function crow({ x, y, side }: End): string {
  const tip = x + side * foot
  return `M${tip} ${y}L${x} ${y - footWidth}M${tip} ${y}L${x} ${y + footWidth}`
}

function bar({ x, y, side }: End, distance: number): string {
  const at = x + side * distance
  return `M${at} ${y - footWidth}V${y + footWidth}`
}

function circle({ x, y, side }: End): { x: number; y: number } {
  return { x: x + side * circleAt, y }
}

// straight is the line seen from afar: from middle to middle of the tables.
export function straight(table: Table, at: Position, refTable: Table, refAt: Position): string {
  const a = sizeOf(table, at)
  const b = sizeOf(refTable, refAt)
  return `M${Math.round(at.x + a.width / 2)} ${Math.round(at.y + a.height / 2)}L${Math.round(refAt.x + b.width / 2)} ${Math.round(refAt.y + b.height / 2)}`
}
