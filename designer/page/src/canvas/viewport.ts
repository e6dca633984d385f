import { home } from '../api/home'
import { store } from '../store/state'
import type { Rect } from './geometry'

// What part of the design was seen last, per project and connection, in this
// browser.

interface Viewport {
  x: number
  y: number
  zoom: number
}

function key(): string {
  return `berth.view.${store.get().projectRoot}.${store.get().connection}`
}

export function saveView({ x, y, zoom }: Viewport): void {
  home.keep(key(), JSON.stringify({ x, y, zoom }))
}

// restoreView returns the last view if any of the design is in it.
export function restoreView(all: Rect, box: { width: number; height: number }): Viewport | null {
  try {
    const v = JSON.parse(home.read(key()) ?? 'null') as Viewport | null
    if (!v || !(v.zoom > 0)) return null
    const [left, top] = [all.x * v.zoom + v.x, all.y * v.zoom + v.y]
    const seen = left < box.width - 40 && top < box.height - 40 && left + all.width * v.zoom > 40 && top + all.height * v.zoom > 40
    return seen ? v : null
  } catch {
    return null
  }
}
