import type { Id, Position, Table } from '../api/types'
import { titleOf, type Design } from '../store/design'
import { createStore } from '../store/store'
import { rectsOf, type Rect } from './geometry'
import type { Positions } from './placement'

// Many tables seen from afar are painted rather than rendered: a thousand
// elements would cost more than they show. Only what is selected, under the
// pointer or first in line for the keyboard is an element then.

export const dense = 120 // tables in view, from which on they are painted

// under is the table below the pointer while tables are painted.
export const under = createStore<{ id: Id | null }>({ id: null })

export interface Scene {
  rects: readonly (Rect & { id: Id; title: string })[]
  boxes: Path2D
  marked: Path2D
}

export function sceneOf(design: Design, shown: readonly Table[], positions: Positions, marks: ReadonlyMap<Id, unknown>): Scene {
  const boxes = new Path2D()
  const marked = new Path2D()
  const rects = rectsOf(shown, positions).map((rect) => {
    const table = design.tables.get(rect.id)
    const path = marks.has(rect.id) ? marked : boxes
    path.rect(rect.x, rect.y, rect.width, rect.height)
    return { ...rect, title: table ? titleOf(design, table) : '' }
  })
  return { rects, boxes, marked }
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
}

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  const read = (name: string): string => style.getPropertyValue(name).trim()
  return { surface: read('--surface-2'), line: read('--line-strong'), edge: read('--edge'), text: read('--text'), agent: read('--agent') }
}

interface Viewport {
  x: number
  y: number
  zoom: number
  width: number // of the canvas, in CSS pixels
  height: number
  ratio: number // device pixels to one of CSS
}

const letters = 11 // height of names, in pixels of the screen

export function paint(c: CanvasRenderingContext2D, scene: Scene, web: Path2D, v: Viewport, colours: Colours): void {
  c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0)
  c.clearRect(0, 0, v.width, v.height)
  c.setTransform(v.zoom * v.ratio, 0, 0, v.zoom * v.ratio, v.x * v.ratio, v.y * v.ratio)
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
  if (v.zoom > 0.11) names(c, scene, v, colours)
}

// names are written at one size whatever the zoom, as far as there is room.
function names(c: CanvasRenderingContext2D, scene: Scene, v: Viewport, colours: Colours): void {
  c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0)
  c.fillStyle = colours.text
  c.font = `600 ${letters}px system-ui, sans-serif`
  c.textAlign = 'center'
  c.textBaseline = 'middle'
  for (const r of scene.rects) {
    const x = (r.x + r.width / 2) * v.zoom + v.x
    const y = (r.y + r.height / 2) * v.zoom + v.y
    if (x < -100 || y < -50 || x > v.width + 100 || y > v.height + 50) continue
    const rows = fold(r.title, Math.floor((r.width * v.zoom) / (letters * 0.6)))
    const most = Math.max(1, Math.floor((r.height * v.zoom) / (letters + 2)))
    for (const [i, row] of rows.slice(0, most).entries()) c.fillText(row, x, y + (i - (Math.min(rows.length, most) - 1) / 2) * (letters + 2))
  }
}

// fold breaks a name into rows of at most room letters, where words meet.
export function fold(name: string, room: number): string[] {
  if (room < 3) return []
  const rows: string[] = []
  for (const word of name.match(/[A-Z]?[^A-Z_.\s]+[_.]?|[A-Z]+|[_.]/g) ?? [name]) {
    const last = rows.length - 1
    if (last >= 0 && (rows[last] ?? '').length + word.length <= room) rows[last] = `${rows[last] ?? ''}${word}`
    else rows.push(word.length > room ? `${word.slice(0, room - 1)}…` : word)
  }
  return rows
}
