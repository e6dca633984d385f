import type { Id, Position, Table } from '../api/types'
import { titleOf, type Design } from '../store/design'
import { createStore } from '../store/store'
import { colours as paints, type Colour, type Item } from '../api/items'
import { rectsOf } from './geometry'
import { labelsOf, lineOf, type Named } from './labels'
import type { Positions } from './placement'
import { allRelations } from './relations'
import { shortTitles } from './shorten'

// Many tables seen from afar are painted rather than rendered: a thousand
// elements would cost more than they show. Only what is selected, under the
// pointer or first in line for the keyboard is an element then.

export const dense = 120 // tables in view, from which on they are painted

// under is the table below the pointer while tables are painted.
export const under = createStore<{ id: Id | null }>({ id: null })

export interface Scene {
  rects: readonly (Named & { id: Id })[] // those with most relations first
  boxes: Path2D
  marked: Path2D
}

export function sceneOf(design: Design, shown: readonly Table[], positions: Positions, marks: ReadonlyMap<Id, unknown>): Scene {
  const boxes = new Path2D()
  const marked = new Path2D()
  const titles = new Map(shown.map((t) => [t.id, titleOf(design, t)]))
  const short = shortTitles([...titles.values()])
  const rects = rectsOf(shown, positions).map((rect) => {
    const path = marks.has(rect.id) ? marked : boxes
    path.rect(rect.x, rect.y, rect.width, rect.height)
    const title = titles.get(rect.id) ?? ''
    return { ...rect, title, short: short.get(title) ?? title }
  })
  const weights = weightsOf(design)
  rects.sort((a, b) => (weights.get(b.id) ?? 0) - (weights.get(a.id) ?? 0))
  return { rects, boxes, marked }
}

const weighed = new WeakMap<Design, ReadonlyMap<Id, number>>()

// weightsOf counts the relations of each table.
function weightsOf(design: Design): ReadonlyMap<Id, number> {
  const known = weighed.get(design)
  if (known) return known
  const weights = new Map<Id, number>()
  for (const { table, refTable } of allRelations(design)) {
    for (const id of [table, refTable]) weights.set(id, (weights.get(id) ?? 0) + 1)
  }
  weighed.set(design, weights)
  return weights
}

export function tableAt(shown: readonly Table[], positions: Positions, at: Position): Id | null {
  const hit = rectsOf(shown, positions).findLast((r) => at.x >= r.x && at.x <= r.x + r.width && at.y >= r.y && at.y <= r.y + r.height)
  return hit?.id ?? null
}

export interface Colours {
  surface: string
  line: string
  edge: string
  text: string
  agent: string
  ground: string
  font: string
  paints: Record<Colour, string>
}

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  const read = (name: string): string => style.getPropertyValue(name).trim()
  return { surface: read('--far'), line: read('--line-strong'), edge: read('--edge'), text: read('--text'), agent: read('--agent'), ground: read('--bg'), font: read('--font'), paints: paintsOf(read) }
}

function paintsOf(read: (name: string) => string): Record<Colour, string> {
  return Object.fromEntries(paints.map((name, i) => [name, read(`--paint-${i + 1}`)])) as Record<Colour, string>
}

interface Viewport {
  x: number
  y: number
  zoom: number
  width: number // of the canvas, in CSS pixels
  height: number
  ratio: number // device pixels to one of CSS
}

export function paint(c: CanvasRenderingContext2D, scene: Scene, web: Path2D, v: Viewport, colours: Colours, areas: readonly Item[]): void {
  c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0)
  c.clearRect(0, 0, v.width, v.height)
  c.setTransform(v.zoom * v.ratio, 0, 0, v.zoom * v.ratio, v.x * v.ratio, v.y * v.ratio)
  c.globalAlpha = 0.11
  for (const { x, y, width, height, colour } of areas) {
    c.fillStyle = colours.paints[colour]
    c.fillRect(x, y, width, height)
  }
  c.lineWidth = 0.8 / v.zoom
  c.strokeStyle = colours.edge
  c.globalAlpha = 0.5
  c.stroke(web)
  c.globalAlpha = 1
  c.fillStyle = colours.surface
  c.strokeStyle = colours.line
  c.fill(scene.boxes)
  c.stroke(scene.boxes)
  c.fill(scene.marked)
  c.lineWidth = 2.5 / v.zoom
  c.strokeStyle = colours.agent
  c.stroke(scene.marked)
  names(c, scene, v, colours)
}

// names are written at few sizes whatever the zoom, as far as there is room.
function names(c: CanvasRenderingContext2D, scene: Scene, v: Viewport, colours: Colours): void {
  c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0)
  c.textAlign = 'center'
  c.textBaseline = 'middle'
  c.lineWidth = 3
  c.lineJoin = 'round'
  c.strokeStyle = colours.ground // so that lines and boxes do not run through letters
  c.fillStyle = colours.text
  let last = 0
  for (const { x, y, rows, size } of labelsOf(scene.rects, v).sort((a, b) => a.size - b.size)) {
    if (size !== last) c.font = `600 ${size}px ${colours.font}`
    last = size
    const places = rows.map((row, i) => [row, y + (i - (rows.length - 1) / 2) * lineOf(size)] as const)
    for (const [row, at] of places) c.strokeText(row, x, at) // first, else it would eat into the row before
    for (const [row, at] of places) c.fillText(row, x, at)
  }
}
