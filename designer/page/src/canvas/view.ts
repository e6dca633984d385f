import type { Id } from '../api/types'

// What other parts of the page can ask of the canvas, which answers while it
// is there.

export interface View {
  reveal: (ids: readonly Id[]) => void
  focus: (id: Id) => void
  fit: () => void
  arrange: () => Promise<void>
  middle: () => { x: number; y: number } // of what is in view
  zoom: () => number
}

let view: View | null = null

export function provideView(next: View | null): void {
  view = next
}

// reveal brings tables into view and selects them.
export function reveal(ids: readonly Id[]): void {
  if (ids.length > 0) view?.reveal(ids)
}

// focusTable gives a table the keyboard's focus, and brings it into view.
export function focusTable(id: Id): void {
  view?.focus(id)
}

export function fitView(): void {
  view?.fit()
}

// arrangeView arranges the visible tables again, and nothing else.
export function arrangeView(): Promise<void> {
  return view?.arrange() ?? Promise.resolve()
}

export function middleOfView(): { x: number; y: number } {
  return view?.middle() ?? { x: 0, y: 0 }
}

export function zoomOfView(): number {
  return view?.zoom() ?? 1
}
