import type { Id } from '../api/types'
import { select } from '../store/actions'
import { keepFirst, rankedOf } from '../store/rank'
import { noFilter, store } from '../store/state'
import { filtered, letThrough } from './filter'
import { fitView } from './view'
import { fillSpread, spreadOut } from './spread'

// What a person does about which tables the canvas shows.

export const steps = [1, 2, 3] as const // of relations that a table can be seen with

// showNear shows a table and what is at most so many relations away from it.
export function showNear(table: Id, distance = 1): void {
  store.set(({ design, filter }) => {
    const next = { ...filter, ranked: null, view: null, around: { table, distance }, also: new Set<Id>() }
    return { filter: design ? letThrough(design, next, [table]) : next }
  })
  if (!store.get().selected.has(table)) select([table])
  setTimeout(fitView)
  void spreadOut().then((done) => done && setTimeout(fitView), () => undefined) // as they stand among all, then
}

// hide takes tables off the canvas. They stay in the design.
export function hide(ids: readonly Id[]): void {
  store.set(({ filter }) => ({
    filter: { ...filter, hidden: new Set([...filter.hidden, ...ids]), also: new Set([...filter.also].filter((id) => !ids.includes(id))) },
  }))
  select([...store.get().selected].filter((id) => !ids.includes(id)))
}

// selectShown selects all tables that the canvas shows.
export function selectShown(): void {
  const { design, filter } = store.get()
  if (design) select(filtered(design, filter).map((t) => t.id))
}

export function unhide(ids: readonly Id[]): void {
  store.set(({ design, filter }) => (design ? { filter: letThrough(design, filter, ids) } : {}))
  fillSpread()
}

export function showAll(): void {
  keepFirst('all')
  store.set({ filter: noFilter })
  setTimeout(fitView)
}

// showRanked shows a large design as it is shown at first.
export function showRanked(): void {
  keepFirst('ranked')
  store.set(({ design }) => ({ filter: { ...noFilter, ranked: design && rankedOf(design) } }))
  setTimeout(fitView)
}
