import { request as send, type IncomingMessage } from 'node:http'
import type { Attachment, Ready } from './attachment'

// The way to an instance over the loopback, with a page key that stays in this
// process. A key is good for one run of the instance, so a new run asks for
// another. Node's own http: what an editor puts around fetch knows proxies.

export interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string | null
  signal?: AbortSignal
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

// ToolReply is the first text of a tool's result, decoded where it is JSON.
export interface ToolReply {
  failed: boolean
  text: string
  json: unknown
  question: { message: string } | null // a person is asked, and nothing was done
}

export class Instance {
  private ready: Ready | null = null
  private key: Promise<string> | null = null

  constructor(private readonly attachment: Pick<Attachment, 'request'>) {}

  // serve says where the instance is now; null: nowhere.
  serve(ready: Ready | null): void {
    this.ready = ready
    this.key = null
  }

  get root(): string {
    return this.ready?.projectRoot ?? ''
  }

  get served(): boolean {
    return this.ready !== null
  }

  // open sends one request and resolves with its answer, whatever its status.
  async open(path: string, call: Call = {}): Promise<IncomingMessage> {
    const { ready } = this
    if (!ready) throw new Error('Berth does not serve this folder now')
    const key = await this.signIn()
    return new Promise((resolve, reject) => {
      const headers = { ...call.headers, Authorization: `Bearer ${key}` }
      const sent = send(ready.url + path, { method: call.method ?? 'GET', headers, agent: false, signal: call.signal }, resolve)
      sent.on('error', reject)
      sent.end(call.body ?? undefined)
    })
  }

  async json<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
    const call: Call = { method }
    if (body !== undefined) {
      call.headers = { 'Content-Type': 'application/json' }
      call.body = JSON.stringify(body)
    }
    const answer = await this.open(path, call)
    const value: unknown = JSON.parse(await textOf(answer))
    if (answer.statusCode === 200) return value as T
    const { error = 'internal', message = 'the instance failed' } = value as { error?: string; message?: string }
    throw new Refused(answer.statusCode ?? 0, error, message)
  }

  // tool calls a tool. A question that it asks comes back in the reply.
  async tool(name: string, args: Record<string, unknown>): Promise<ToolReply> {
    const call = { arguments: { projectRoot: this.root, ...args }, client: { name: 'Visual Studio Code', elicitation: false } }
    const answer = await this.open(`/tools/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(call) })
    return readReply(await textOf(answer))
  }

  private signIn(): Promise<string> {
    this.key ??= this.attachment.request('key').then((reply) => {
      if (reply.keyId && reply.key) return `${reply.keyId}.${reply.key}`
      this.key = null
      throw new Error(reply.error ?? 'the instance gave no key')
    })
    return this.key
  }
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
  return text
}

interface ReplyLine {
  result?: { content: string[]; isError?: boolean }
  inputRequired?: { requests: Record<string, { params: { message: string } }> }
  message?: string // of a refusal before the tool
}

// readReply takes the line that ends a reply.
export function readReply(text: string): ToolReply {
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  let line: ReplyLine
  try {
    line = JSON.parse(last) as ReplyLine
  } catch {
    return { failed: true, text: 'the reply was cut off', json: null, question: null }
  }
  if (line.inputRequired) {
    const [asked] = Object.values(line.inputRequired.requests)
    return { failed: true, text: '', json: null, question: { message: asked?.params.message ?? '' } }
  }
  const said = line.result?.content[0] ?? line.message ?? ''
  let json: unknown = null
  try {
    json = JSON.parse(said)
  } catch {
    // a tool may answer in plain words
  }
  return { failed: line.result?.isError ?? !line.result, text: said, json, question: null }
}
