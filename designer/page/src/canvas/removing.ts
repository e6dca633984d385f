import type { Id } from '../api/types'
import { createStore } from '../store/store'

// What the person has asked to drop, until they have confirmed it.

export type Removal = { kind: 'tables'; ids: readonly Id[] } | { kind: 'key'; table: Id; key: Id }

export const removing = createStore<{ removal: Removal | null }>({ removal: null })

export function askToDrop(ids: readonly Id[]): void {
  if (ids.length > 0) removing.set({ removal: { kind: 'tables', ids } })
}

export function askToDropKey(table: Id, key: Id): void {
  removing.set({ removal: { kind: 'key', table, key } })
}
