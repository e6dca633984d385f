import type { Filter, Order } from './api'

// What is shown of the data, and the way that led there.

export interface View {
  value: string // of the list of tables
  filters: readonly Filter[]
  sort: Order | null
}

export interface Trail {
  view: View
  before: readonly View[] // the oldest first
}

const longest = 50

export function begin(value: string): Trail {
  return { view: { value, filters: [], sort: null }, before: [] }
}

// go shows something else, from where back leads here again.
export function go(trail: Trail, view: View): Trail {
  return { view, before: [...trail.before, trail.view].slice(-longest) }
}

export function back(trail: Trail): Trail {
  const view = trail.before.at(-1)
  return view ? { view, before: trail.before.slice(0, -1) } : trail
}

// turned is the order after a press on a column's head: up, down, and none.
export function turned(sort: Order | null, column: string): Order | null {
  if (sort?.column !== column) return { column }
  return sort.descending ? null : { column, descending: true }
}
