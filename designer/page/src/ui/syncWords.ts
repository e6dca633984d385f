import type { SyncState } from '../api/types'

// syncWords is how a design stands to its database, wherever a person reads it.
// cmd/vscode/src/syncWords.ts has the same.
export const syncWords: Record<SyncState, string> = { synced: 'In sync', proposed: 'Proposed', drifted: 'Drifted' }
