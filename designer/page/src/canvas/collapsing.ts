import type { Id } from '../api/types'
import { store } from '../store/state'
import { moveTables } from './moving'
import { placesOf } from './spread'

// Tables that are collapsed to their titles. It is kept with where they stand,
// in the layout or in a view, and undone as a move is.

// collapsible are those of tables that are not collapsed, or not expanded, yet.
export function collapsible(ids: readonly Id[], to: boolean): Id[] {
  const places = placesOf(store.get())
  return ids.filter((id) => places[id] && (places[id].collapsed === true) !== to)
}

export function collapse(ids: readonly Id[], to: boolean): void {
  const places = placesOf(store.get())
  const moved = Object.fromEntries(collapsible(ids, to).flatMap((id) => (places[id] ? [[id, { ...places[id], collapsed: to }]] : [])))
  if (Object.keys(moved).length > 0) moveTables(moved)
}

// turn collapses tables; if all of them are, it expands them.
export function turn(ids: readonly Id[]): void {
  collapse(ids, collapsible(ids, true).length > 0)
}
