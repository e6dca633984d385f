import type { Id, Position } from './types'

// Notice announces that something is to be read again; see GET /events.
export type Notice =
  | { type: 'approvals' | 'projects' | 'presence' | 'team' }
  | { type: 'file_edited'; path: string; additions: number; deletions: number; fast: boolean; editId?: string }
  | { type: 'file_stale'; path: string }
  | { type: 'layout'; connectionId: string; counter: number; positions: Record<Id, Position | null>; replace: boolean }
  | { type: 'review' | 'notes' | 'views' | 'canvas'; connectionId: string }
  | { type: 'trust'; lines?: string[]; waits?: string[] }
