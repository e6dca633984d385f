import type { Id, Position } from '../api/types'
import { keepCollapsed, move } from './layout'
import { putAll, same } from './items'
import { store, type ItemsChange, type Move } from './state'

// Moves are what a person did to the layout in this page, so that undo and
// redo take it back in the order in which it was done, between edits. The
// design's own steps are the instance's; a move remembers how many there were.

const kept = 200
const pause = 700 // ms: movements of the same tables that follow sooner are one

// moveAsStep moves tables, and changes areas and notes, as something that can
// be undone. ongoing says that the gesture has not ended: what follows belongs
// to it.
export function moveAsStep(to: Readonly<Record<Id, Position>>, ongoing = false, changed: ItemsChange = {}): void {
  const { positions, moves, items } = store.get()
  const after = keepCollapsed(positions, to)
  const last = moves.at(-1)
  const joins = last !== undefined && (last.open || Date.now() - last.at < pause) && last.steps === steps() && sameIds(last.after, after) && sameIds(last.items.after, changed) && Object.entries(after).every(([id, at]) => Boolean(at.collapsed) === Boolean(last.after[id]?.collapsed))
  const before = joins ? last.before : Object.fromEntries(Object.keys(after).map((id) => [id, positions[id] ?? null]))
  const were = joins ? last.items.before : Object.fromEntries(Object.keys(changed).map((id) => [id, items?.[id] ?? null]))
  const made: Move = { before, after, items: { before: were, after: { ...changed } }, steps: steps(), at: Date.now(), open: ongoing }
  if (Object.keys(after).length > 0) move(after)
  if (Object.keys(changed).length > 0) putAll(changed, ongoing)
  store.set({ moves: [...(joins ? moves.slice(0, -1) : moves), made].slice(-kept), unmoved: [] })
}

function sameIds(a: object, b: object): boolean {
  const ids = Object.keys(a)
  return ids.length === Object.keys(b).length && ids.every((id) => id in b)
}

// steps is how many steps of the design there are to undo, those on their way
// to the instance too.
function steps(): number {
  const { confirmed, pending } = store.get()
  return (confirmed?.undoSteps ?? 0) + pending.reduce((n, p) => n + p.edits.length, 0)
}

// undoMove takes the last move back if nothing was done to the design since.
// It reports whether it did.
export function undoMove(): boolean {
  const { moves, unmoved } = store.get()
  const last = moves.at(-1)
  if (!last || last.steps < steps()) return false
  store.set({ moves: moves.slice(0, -1), unmoved: [...unmoved, last] })
  const [tables, items] = [shift(last.after, last.before), change(last.items.after, last.items.before)]
  return tables || items || undoMove()
}

// redoMove makes the move again that was taken back last, if the design is
// again where it was made. It reports whether it did.
export function redoMove(): boolean {
  const { moves, unmoved, confirmed } = store.get()
  const next = unmoved.at(-1)
  if (!next || (next.steps > steps() && (confirmed?.redoSteps ?? 0) > 0)) return false
  store.set({ unmoved: unmoved.slice(0, -1), moves: [...moves, { ...next, open: false, at: 0 }] })
  const [tables, items] = [shift(next.before, next.after), change(next.items.before, next.items.after)]
  return tables || items || redoMove()
}

// shift moves the tables that still stand where from has them; others have
// been moved by somebody else, or are gone. It reports whether there was one.
function shift(from: Move['before'], to: Move['before']): boolean {
  const { positions, design } = store.get()
  const there = Object.entries(to).filter(([id, at]) => {
    const [now, was] = [positions[id], from[id]]
    return at !== null && now && was && design?.tables.has(id) && near(now, was)
  })
  if (there.length > 0) move(Object.fromEntries(there))
  return there.length > 0
}

// change is shift for areas and notes.
function change(from: ItemsChange, to: ItemsChange): boolean {
  const { items } = store.get()
  const there = Object.entries(to).filter(([id, item]) => same(items?.[id], from[id]) && !same(item, from[id]))
  if (there.length > 0) putAll(Object.fromEntries(there))
  return there.length > 0
}

// near allows for the rounding of what the instance keeps.
function near(a: Position, b: Position): boolean {
  return Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1
}
