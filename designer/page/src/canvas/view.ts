import type { Id, Position } from '../api/types'

// What other parts of the page can ask of the canvas, which answers while it
// is there.

export interface View {
  reveal: (ids: readonly Id[]) => void
  focus: (id: Id) => void
  look: (ids: readonly Id[]) => void
  fit: () => void
  pan: (by: Position) => void
  arrange: () => Promise<void>
  middle: () => Position // of what is in view
  zoom: () => number
  toCanvas: (onScreen: Position) => Position
}

let view: View | null = null

export function provideView(given: View | null): void {
  view = given
}

// reveal brings tables into view and selects them.
export function reveal(ids: readonly Id[]): void {
  if (ids.length > 0) view?.reveal(ids)
}

// focusTable gives a table the keyboard's focus, and brings it into view.
export function focusTable(id: Id): void {
  view?.focus(id)
}

// look brings tables into view, unless they are, and selects nothing.
export function look(ids: readonly Id[]): void {
  view?.look(ids)
}

export function fitView(): void {
  view?.fit()
}

// panView moves what is in view by so many pixels of the screen.
export function panView(by: Position): void {
  view?.pan(by)
}

// arrangeView arranges the visible tables again, and nothing else.
export function arrangeView(): Promise<void> {
  return view?.arrange() ?? Promise.resolve()
}

export function middleOfView(): Position {
  return view?.middle() ?? { x: 0, y: 0 }
}

let next: Position | null = null

// putNext says where the next new table goes; null: where one looks.
export function putNext(at: Position | null): void {
  next = at
}

export function placeOfNext(): Position {
  return next ?? middleOfView()
}

// toCanvas is where a point of the screen lies on the canvas.
export function toCanvas(onScreen: Position): Position {
  return view?.toCanvas(onScreen) ?? onScreen
}

export function zoomOfView(): number {
  return view?.zoom() ?? 1
}
