import { send, sendJson } from '../../api/http'
import type { RowChanges } from './edits'
import { parseNumbers, rowsOf, type RawRows, type Rows } from './rows'

// The routes that review changes of rows and run them, as docs/http.md has
// them.

export interface Reviewed {
  statements: { sql: string; notCompared?: string[] }[]
  seal: string
  server?: string
  database: string
}

export interface Outcome {
  done?: number
  refused?: { change: number; why: string; now: Rows | null }
  unknown?: string
}

function path(connection: string, rest: string): string {
  return `/designs/${encodeURIComponent(connection)}/rows${rest}`
}

export function reviewRows(connection: string, changes: RowChanges): Promise<Reviewed> {
  return sendJson<Reviewed>('POST', path(connection, '/review'), changes)
}

export async function runRows(connection: string, changes: RowChanges, seal: string): Promise<Outcome> {
  const answer = await send(path(connection, '/run'), { method: 'POST', body: { ...changes, seal } })
  return parseOutcome(await answer.text())
}

interface RawOutcome {
  done?: { $number: string }
  refused?: { change: { $number: string }; why: string; now: RawRows | null }
  unknown?: string
}

// parseOutcome reads an outcome without losing a digit of a value.
export function parseOutcome(text: string): Outcome {
  const raw = parseNumbers(text) as RawOutcome
  return {
    ...(raw.done ? { done: Number(raw.done.$number) } : {}),
    ...(raw.unknown ? { unknown: raw.unknown } : {}),
    ...(raw.refused ? { refused: { change: Number(raw.refused.change.$number), why: raw.refused.why, now: raw.refused.now && rowsOf(raw.refused.now) } } : {}),
  }
}
