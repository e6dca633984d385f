import type { Items } from '../../api/items'
import type { Id, Position, Table } from '../../api/types'
import { bounds, headHeight, isCut, rectsOf, rowHeight, rowMiddle, shownColumns, sizeOf, type Rect } from '../../canvas/geometry'
import { textWidth } from '../../canvas/measure'
import { escape, fitted, letters } from './svgText'
import { areaShapes, noteShapes } from './itemShapes'
import { isKeyColumn, titleOf, typeOf, type Design } from '../../store/design'

// The diagram as shapes, for a file. Tables that have no place yet are put in
// rows below the others.

export interface Colours {
  ground: string
  surface: string
  head: string
  line: string
  text: string
  quiet: string
  key: string
  edge: string
  paints: readonly string[] // of areas and notes, in the order of api/items.ts
}

export const light: Colours = { ground: '#f4f5f8', surface: '#ffffff', head: '#f0f2f6', line: '#b9c0ce', text: '#1b2130', quiet: '#515b6f', key: '#9a6a00', edge: '#8b95a9', paints: ['#5b6577', '#2f5fc4', '#1c7a4c', '#8f6a00', '#b3261e', '#8a3fb8'] }
export const dark: Colours = { ground: '#12151b', surface: '#1b2029', head: '#232935', line: '#4b566b', text: '#e7eaf0', quiet: '#aeb7c7', key: '#e6b95a', edge: '#6f7b91', paints: ['#a3adbf', '#85aaff', '#6fd3a0', '#e6b95a', '#ff9189', '#d59bf5'] }

const margin = 40
const rowWidth = 2400

// placesOf gives every table a place.
export function placesOf(tables: readonly Table[], positions: Readonly<Record<Id, Position>>): Record<Id, Position> {
  const places: Record<Id, Position> = {}
  for (const t of tables) {
    const at = positions[t.id]
    if (at) places[t.id] = at
  }
  const taken = bounds(rectsOf(tables, places))
  const left = taken?.x ?? 0
  let [x, y, tallest] = [left, taken ? taken.y + taken.height + 60 : 0, 0]
  for (const t of tables) {
    if (places[t.id]) continue
    const { width, height } = sizeOf(t)
    if (x > left && x + width > left + rowWidth) [x, y, tallest] = [left, y + tallest + 60, 0]
    places[t.id] = { x, y }
    x += width + 60
    tallest = Math.max(tallest, height)
  }
  return places
}

export interface Drawing {
  svg: string
  width: number
  height: number
}

// draw returns the design as a self-contained SVG: no style sheet, no script,
// no reference outside.
export function draw(design: Design, positions: Readonly<Record<Id, Position>>, colours: Colours, items: Items = {}): Drawing {
  const tables = [...design.tables.values()]
  const places = placesOf(tables, positions)
  const all = bounds([...rectsOf(tables, places), ...Object.values(items)]) ?? { x: 0, y: 0, width: 200, height: 100 }
  const frame: Rect = { x: all.x - margin, y: all.y - margin, width: all.width + 2 * margin, height: all.height + 2 * margin }
  const edges = tables.flatMap((t) => edgesOf(t, design, places, colours))
  const nodes = tables.map((t) => tableShape(t, titleOf(design, t), places[t.id] ?? { x: 0, y: 0 }, colours))
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame.x} ${frame.y} ${frame.width} ${frame.height}" width="${frame.width}" height="${frame.height}" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${letters}">`,
    `<title>${escape(design.name)}</title>`,
    `<rect x="${frame.x}" y="${frame.y}" width="${frame.width}" height="${frame.height}" fill="${colours.ground}"/>`,
    ...areaShapes(items, colours),
    `<g fill="none" stroke="${colours.edge}" stroke-width="1.4">`,
    ...edges,
    '</g>',
    ...nodes,
    ...noteShapes(items, colours),
    '</svg>',
  ].join('\n')
  return { svg, width: frame.width, height: frame.height }
}

function tableShape(t: Table, title: string, at: Position, c: Colours): string {
  const { x, y } = at
  const { width, height } = sizeOf(t, at)
  const right = x + width - 10
  const lines = [
    `<g>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${c.surface}" stroke="${c.line}"/>`,
    `<path d="M${x} ${y + headHeight} V${y + 8} a8 8 0 0 1 8 -8 H${x + width - 8} a8 8 0 0 1 8 8 V${y + headHeight} Z" fill="${c.head}" stroke="${c.line}"/>`,
    `<text x="${x + 12}" y="${y + 22}" font-weight="600" font-size="13.5" fill="${c.text}">${escape(fitted(title, width - 24, 13.5, true))}</text>`,
  ]
  if (at.collapsed) return [...lines, '</g>'].join('\n')
  shownColumns(t).forEach((column, i) => {
    const middle = y + headHeight + i * rowHeight + 16.5
    const type = fitted(typeOf(column) + (column.isNullable ? '?' : ''), Math.max(60, width - 40 - textWidth(column.name, letters)))
    if (isKeyColumn(t, column)) lines.push(`<circle cx="${x + 11}" cy="${middle - 4}" r="3.2" fill="${c.key}"/>`)
    lines.push(`<text x="${x + 20}" y="${middle}" fill="${c.text}">${escape(fitted(column.name, width - 36 - textWidth(type, letters)))}</text>`)
    lines.push(`<text x="${right}" y="${middle}" text-anchor="end" fill="${c.quiet}">${escape(type)}</text>`)
  })
  if (isCut(t)) {
    const middle = y + headHeight + shownColumns(t).length * rowHeight + 16.5
    lines.push(`<text x="${x + 20}" y="${middle}" fill="${c.quiet}">… ${t.columns.length - shownColumns(t).length} more columns</text>`)
  }
  return [...lines, '</g>'].join('\n')
}

// edgesOf draws a table's foreign keys: a crow's foot here, a bar there.
function edgesOf(t: Table, design: Design, places: Readonly<Record<Id, Position>>, c: Colours): string[] {
  return (t.foreignKeys ?? []).flatMap((key) => {
    const other = design.tables.get(key.refTable ?? '')
    const [from, to] = [places[t.id], places[key.refTable ?? '']]
    if (!other || !from || !to) return []
    const a = { x: from.x, y: from.y + rowMiddle(t, key.mappings[0]?.column, from), width: sizeOf(t).width }
    const b = { x: to.x, y: to.y + rowMiddle(other, key.mappings[0]?.refColumn, to), width: sizeOf(other).width }
    const rightward = b.x + b.width / 2 > a.x + a.width / 2 && t !== other
    const s = rightward ? 1 : -1
    const ax = rightward ? a.x + a.width : a.x
    const bx = rightward || t === other || b.x + b.width > a.x ? (rightward ? b.x : t === other ? b.x : b.x + b.width) : b.x + b.width
    const bs = bx === b.x ? -1 : 1
    const bend = Math.max(30, Math.abs(bx - ax) / 2)
    return [
      `<path d="M${ax + 12 * s} ${a.y} C${ax + bend * s} ${a.y} ${bx + bend * bs} ${b.y} ${bx} ${b.y}"/>`,
      `<path d="M${ax} ${a.y - 6} L${ax + 12 * s} ${a.y} L${ax} ${a.y + 6} M${ax} ${a.y} H${ax + 12 * s}"/>`,
      `<path d="M${bx + 7 * bs} ${b.y - 5} V${b.y + 5}" stroke="${c.edge}"/>`,
    ]
  })
}
