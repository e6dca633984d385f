import { Failure, Offline, projectRoot, send } from './http'
import { lines } from './lines'

// Calls of the instance's tools: POST /tools/{name}, a stream of lines back.

export interface Progress {
  progress: number
  total?: number
  message?: string
}

export interface Question {
  requests: Record<string, { method: string; params: { message?: string; requestedSchema?: unknown; _meta?: Record<string, string> } }>
  state: string
}

export interface ToolResult {
  content: string[]
  structured?: unknown
  isError?: boolean
}

export type ToolReply = { kind: 'result'; result: ToolResult } | { kind: 'question'; question: Question }

export interface CallOptions {
  onProgress?: (progress: Progress) => void
  answer?: { inputResponses: Record<string, { action: 'accept' | 'decline' | 'cancel'; content?: unknown }>; requestState: string }
  elicitation?: boolean // the page can put a question to the person
  deadlineMs?: number
  signal?: AbortSignal
}

interface Line {
  progress?: Progress
  result?: ToolResult
  inputRequired?: Question
}

// call runs one tool. It throws Offline, Failure, or what the signal says.
export async function call(name: string, args: Record<string, unknown>, options: CallOptions = {}): Promise<ToolReply> {
  const answer = await send(`/tools/${encodeURIComponent(name)}`, {
    method: 'POST',
    signal: options.signal,
    body: {
      arguments: { projectRoot: projectRoot(), ...args },
      client: { name: 'berth page', elicitation: options.elicitation ?? false },
      deadlineMs: options.deadlineMs,
      wantProgress: options.onProgress !== undefined,
      ...options.answer,
    },
  })
  if (!answer.body) throw new Offline()
  let reply: ToolReply | null = null
  try {
    for await (const text of lines(answer.body)) {
      const line = JSON.parse(text) as Line
      if (line.progress) options.onProgress?.(line.progress)
      if (line.result) reply = { kind: 'result', result: line.result }
      if (line.inputRequired) reply = { kind: 'question', question: line.inputRequired }
    }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
  }
  if (!reply) throw new Offline() // cut off before its end: whether it was done is not known
  return reply
}

export const designerTool = 'mssql_schema_designer'

// designer calls an operation of the designer and reads its reply, which may
// be a refusal. For operations that ask a person use call itself.
export async function designer<T>(
  operation: string,
  connectionId: string,
  args: { payload?: unknown; options?: unknown } = {},
  options: CallOptions = {},
): Promise<T> {
  const reply = await call(designerTool, { operation, connectionId, ...args }, options)
  if (reply.kind === 'question') throw new Failure('internal', `${operation} asked an unexpected question`, 200)
  return JSON.parse(reply.result.content[0] ?? '{}') as T
}
