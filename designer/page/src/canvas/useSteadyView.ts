import { useReactFlow } from '@xyflow/react'
import { useEffect, type RefObject } from 'react'
import { filtered } from './filter'
import { bounds, rectsOf, type Rect } from './geometry'
import { allShown } from './items/items'
import { store } from '../store/state'
import { moveAgain, viewportFor } from './useView'
import { placesOf } from './spread'

const little = 24 // pixels that nobody misses

// useSteadyView keeps in view what was in view when the canvas becomes larger
// or smaller, as it does when a panel opens beside it: the whole design if all
// of it was seen, else what is selected. What is said below the canvas comes
// and goes by itself, under the hand of who is about to press a table: for it
// alone no table moves that is seen.
export function useSteadyView(stage: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow()
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const measure = (): Box => ({ width: element.clientWidth, height: element.clientHeight, said: saidBelow() })
    let was = measure()
    const observer = new ResizeObserver(() => {
      const box = measure()
      if (box.width === 0 || box.height === 0) return // hidden for now
      if (document.querySelector('.react-flow__node.dragging')) return // nothing moves below the hand
      if (Math.abs(box.width - was.width) < little && Math.abs(box.height - was.height) < little) return
      const next = moveAgain() ? null : after(flow.getViewport(), was, box)
      was = box
      if (next) void flow.setViewport(next)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [flow, stage])
}

interface Viewport {
  x: number
  y: number
  zoom: number
}

interface Box {
  width: number
  height: number
  said: number // height of what is said below it
}

function saidBelow(): number {
  let height = 0
  for (const element of document.querySelectorAll<HTMLElement>('.toasts:not(.floating), .tip')) height += element.offsetHeight
  return height
}

// after is the view to take once a box has become another, null to leave it.
function after(view: Viewport, was: Box, box: Box): Viewport | null {
  const { design, filter, selected } = store.get()
  const positions = placesOf(store.get())
  const shown = design ? filtered(design, filter) : []
  const all = allShown(store.get())
  if (!all) return null
  const onlySaid = box.width === was.width && Math.abs(box.height + box.said - was.height - was.said) < little
  if (fits(all, view, was)) return fits(all, view, box) && (onlySaid || !isFit(all, view, was)) ? null : viewportFor(all, box, 1)
  const chosen = bounds(rectsOf(shown.filter((t) => selected.has(t.id)), positions))
  return chosen && fits(chosen, view, was) ? nudged(chosen, view, box) : null
}

function fits(r: Rect, { x, y, zoom }: Viewport, box: Box): boolean {
  return r.x * zoom + x >= 0 && r.y * zoom + y >= 0 && (r.x + r.width) * zoom + x <= box.width && (r.y + r.height) * zoom + y <= box.height
}

// isFit reports whether a view is the one that "zoom to fit" gives.
function isFit(all: Rect, view: Viewport, box: Box): boolean {
  const fit = viewportFor(all, box, 1)
  return Math.abs(fit.zoom / view.zoom - 1) < 0.02 && Math.abs(fit.x - view.x) < 6 && Math.abs(fit.y - view.y) < 6
}

const margin = 16

// nudged moves a view as little as brings a rectangle into the box; one that
// is larger than the box shows its upper left.
export function nudged(r: Rect, view: Viewport, box: Box): Viewport {
  const shift = (start: number, length: number, room: number): number => {
    if (start + length > room - margin) return Math.max(margin - start, room - margin - start - length)
    return Math.max(0, margin - start)
  }
  return {
    x: view.x + shift(r.x * view.zoom + view.x, r.width * view.zoom, box.width),
    y: view.y + shift(r.y * view.zoom + view.y, r.height * view.zoom, box.height),
    zoom: view.zoom,
  }
}
