import type { Rect } from '../geometry'
import { overlaps } from '../geometry'

const gap = 24 // about a note

// cleared makes room for notes, which stay where they are: what does not lie
// before a note on one axis moves beyond it, together, so that nothing comes
// to overlap that did not. Of the two axes it takes the shorter way.
export function cleared<T extends Rect>(rects: readonly T[], notes: readonly Rect[]): T[] {
  let all = [...rects]
  // Everything moves right or down only, so this ends once all is past all notes.
  for (;;) {
    const hit = notes.find((note) => all.some((r) => overlaps(r, note)))
    if (!hit) return all
    const [right, down] = [beyond(all, hit.x, hit.width, (r) => [r.x, r.width]), beyond(all, hit.y, hit.height, (r) => [r.y, r.height])]
    all = right.by <= down.by ? all.map((r) => (right.moves(r) ? { ...r, x: r.x + right.by } : r)) : all.map((r) => (down.moves(r) ? { ...r, y: r.y + down.by } : r))
  }
}

function beyond<T>(all: readonly T[], from: number, length: number, side: (r: T) => [number, number]): { by: number; moves: (r: T) => boolean } {
  const moves = (r: T): boolean => {
    const [start, size] = side(r)
    return start + size > from
  }
  const first = Math.min(...all.filter(moves).map((r) => side(r)[0]))
  return { by: from + length + gap - first, moves }
}
