import { call } from '../../api/tools'
import { parseRows, type Rows } from './rows'

// Queries of a person's own go where an agent's go: they read only, and are
// bounded.

async function read(tool: string, query: string, connection: string, signal: AbortSignal): Promise<string[]> {
  const reply = await call(tool, { query, connection }, { signal })
  if (reply.kind === 'question') throw new Error('reading asked an unexpected question')
  if (reply.result.isError) throw new Error(reply.result.content.join('\n'))
  return reply.result.content
}

export interface Answer extends Rows {
  ms: number
}

export async function runQuery(query: string, connection: string, signal: AbortSignal): Promise<Answer> {
  const [text = ''] = await read('run-query', query, connection, signal)
  return { ...parseRows(text), ms: (JSON.parse(text) as { elapsedMs: number }).elapsedMs }
}

export async function planOf(query: string, connection: string, signal: AbortSignal): Promise<string> {
  const [text = ''] = await read('explain-query', query, connection, signal)
  return text
}
