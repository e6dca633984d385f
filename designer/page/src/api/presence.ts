import { getJson, send } from './http'
import type { Id } from './types'

// Who is here, as docs/http.md has it.

export interface Entry {
  kind: 'page' | 'agent' | 'program'
  id: string
  person: string
  machine: string
  project: string
  team?: string // absent: it is at this instance
  program?: string
  version?: string
  from?: string
  connection?: string
  table?: { id: Id; name: string }
  editing?: boolean
  view?: string
  away?: boolean
  tool?: string
  running?: boolean
  sinceMs: number // how long ago, in the answer
  heardMs: number
}

export interface PresenceList {
  self: { person: string; machine: string; project: string }
  here: Entry[]
}

// Own is what this page says of itself.
export interface Own {
  page: string
  program: string
  connection: string
  table: Id
  editing: boolean
  view: string
  away: boolean
}

export function getPresence(): Promise<PresenceList> {
  return getJson('/presence')
}

export async function sayPresence(own: Own): Promise<PresenceList> {
  const answer = await send('/presence', { method: 'POST', body: own })
  return (await answer.json()) as PresenceList
}

// sayGone is sent while the page is being closed: nobody waits for the answer.
export function sayGone(page: string): void {
  send('/presence', { method: 'POST', body: { page, gone: true }, keepalive: true }).catch(() => undefined)
}
