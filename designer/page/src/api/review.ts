import type { Outcome } from './edits'
import { getJson, sendJson } from './http'
import type { HistoryStep, Id, Table } from './types'

// The net of what agents changed, and what a person has to say to them; see
// docs/http.md.

export interface ReviewedTable {
  id: Id
  before?: Table // absent: an agent added it
  after?: Table // absent: an agent dropped it
  last: HistoryStep
}

export interface NamedType {
  schema: string
  name: string
  values?: { name: string }[] // of an enum
  domain?: { base: string; notNull?: boolean; default?: string; checks?: { name: string; expression: string }[] }
  comment?: string
}

export interface ReviewedType {
  id: Id
  before?: NamedType
  after?: NamedType
  last: HistoryStep
}

export interface Review {
  version: string
  count: number
  tables: ReviewedTable[]
  types: ReviewedType[]
}

export interface PersonNote {
  id: string
  text: string
  table?: string
  at: string
  read?: string
  client?: string // that read it
}

export type Verdict = 'accept' | 'take_back'

const path = (connection: string, rest: string): string => `/designs/${encodeURIComponent(connection)}${rest}`

export const getReview = (connection: string, signal?: AbortSignal): Promise<Review> => getJson(path(connection, '/review'), signal)

export const postReview = (connection: string, verdict: Verdict, keys: string[], expectedVersion: string): Promise<Outcome> =>
  sendJson('POST', path(connection, '/review'), { verdict, keys, expectedVersion })

export const getNotes = (connection: string): Promise<{ notes: PersonNote[] }> => getJson(path(connection, '/notes'))

export const postNote = (connection: string, note: { text: string; table?: Id } | { drop: string }): Promise<{ notes: PersonNote[] }> =>
  sendJson('POST', path(connection, '/notes'), note)
