import { createStore, useSelector } from '../../store/store'
import type { TableName } from '../../api/types'
import type { Edit } from './edits'

// What is pending of each table. It outlives the panel: whoever looks at
// another table, or closes the panel, finds it again.

const none: readonly Edit[] = []
const pending = createStore<Record<string, readonly Edit[]>>({})

export function tableKey(connection: string, table: TableName): string {
  return JSON.stringify([connection, table.schema, table.name])
}

export function usePending(key: string): readonly Edit[] {
  return useSelector(pending, (s) => s[key] ?? none)
}

export function setPending(key: string, change: (edits: readonly Edit[]) => readonly Edit[]): void {
  pending.set((s) => ({ [key]: change(s[key] ?? none) }))
}

let fresh = 0

// newRow names a row that is to be added.
export function newRow(): string {
  return `new ${++fresh}`
}

// The browser asks in its own words before the page is closed.
addEventListener('beforeunload', (event) => {
  if (Object.values(pending.get()).some((edits) => edits.length > 0)) event.preventDefault()
})
