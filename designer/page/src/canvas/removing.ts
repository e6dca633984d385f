import type { Id } from '../api/types'
import type { Design } from '../store/design'
import { store } from '../store/state'
import { createStore } from '../store/store'

// What the person has asked to drop, until they have confirmed it, and the
// design that they saw when they asked.

export type Removal = { kind: 'tables'; ids: readonly Id[] } | { kind: 'key'; table: Id; key: Id }

export const removing = createStore<{ removal: Removal | null; seen: Design | null }>({ removal: null, seen: null })

export function askToDrop(ids: readonly Id[]): void {
  if (ids.length > 0) removing.set({ removal: { kind: 'tables', ids }, seen: store.get().design })
}

export function askToDropKey(table: Id, key: Id): void {
  const { design } = store.get()
  const there = design?.tables.get(table)?.foreignKeys?.some((k) => k.id === key)
  if (there) removing.set({ removal: { kind: 'key', table, key }, seen: design })
}
