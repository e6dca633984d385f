import { Failure, send, sendJson } from '../../api/http'
import { lines } from '../../api/lines'
import type { TableName } from '../../api/types'
import { parseRows, type Rows } from './rows'

// The routes below /designs/{connection}/rows, as docs/http.md has them.

export type Condition = 'eq' | 'ne' | 'lt' | 'gt' | 'contains' | 'null' | 'not_null'

export interface Filter {
  column: string
  is: Condition
  value?: string
  as?: 'number' | 'blob'
}

export interface Order {
  column: string
  descending?: boolean
}

export interface RowsRequest {
  table: TableName
  columns?: string[]
  filters: Filter[]
  order: Order[]
  limit?: number
  offset?: number
}

function path(connection: string, rest = ''): string {
  return `/designs/${encodeURIComponent(connection)}/rows${rest}`
}

export async function getRows(connection: string, request: RowsRequest, signal?: AbortSignal): Promise<Rows> {
  const answer = await send(path(connection), { method: 'POST', body: request, signal })
  return parseRows(await answer.text())
}

// getWhole reads one row, whose values are not cut.
export async function getWhole(connection: string, request: RowsRequest, signal?: AbortSignal): Promise<Rows> {
  const answer = await send(path(connection), { method: 'POST', body: { ...request, limit: 1, single: true }, signal })
  return parseRows(await answer.text())
}

export interface Counted {
  rows: number | null // null: counting was given up
  elapsedMs: number
}

export function countRows(connection: string, request: RowsRequest): Promise<Counted> {
  return sendJson<Counted>('POST', path(connection, '/count'), request)
}

export interface Saved {
  rows: number
  bytes: number
  limit: string // that ended the file; '': it is whole
}

export type SaveFormat = 'csv' | 'json'

interface SavedLine {
  text?: string
  saved?: Saved
  failure?: { message: string; error: string }
}

// saveRows collects a file while the instance reads its rows.
export async function saveRows(connection: string, request: RowsRequest, format: SaveFormat): Promise<Saved & { file: Blob }> {
  const answer = await send(path(connection, '/save'), { method: 'POST', body: { ...request, format } })
  const parts: string[] = []
  if (answer.body) {
    for await (const text of lines(answer.body)) {
      const line = JSON.parse(text) as SavedLine
      if (line.text !== undefined) parts.push(line.text)
      if (line.failure) throw new Failure(line.failure.error, line.failure.message, answer.status)
      if (line.saved) return { ...line.saved, file: new Blob(parts, { type: format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json' }) }
    }
  }
  throw new Failure('internal', 'the file did not come to its end; save it again', answer.status)
}
