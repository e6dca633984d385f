// The chat's host around a view, as MCP Apps of 2026-01-26 has it: JSON-RPC by
// messages between this frame and the one that holds it.
//
//   view                                     host
//    │ ui/initialize ───────────────────────▶ │
//    │ ◀──────────── its theme, what it can do │
//    │ ui/notifications/initialized ────────▶ │
//    │ ◀───── ui/notifications/tool-input, then tool-result │
//    │ tools/call, ui/open-link ────────────▶ │
//
// Written by hand: the library's half for views is many times the card.

export interface ToolResult {
  content?: { type: string; text?: string }[]
  isError?: boolean
  _meta?: Record<string, unknown>
}

export interface Context {
  theme?: 'light' | 'dark'
  styles?: { variables?: Record<string, string | undefined> }
}

interface Message {
  jsonrpc: '2.0'
  id?: number | string
  method?: string
  params?: unknown
  result?: unknown
  error?: { code?: number; message?: string }
}

export interface Heard {
  input: (args: Record<string, unknown>) => void
  result: (result: ToolResult) => void
  context: (context: Context) => void
}

// Capabilities are what a host may leave out.
export interface Capabilities {
  openLinks?: object
  serverTools?: object
  updateModelContext?: object
}

export class Host {
  private last = 0
  private readonly waiting = new Map<number | string, (answer: Message) => void>()
  can: Capabilities = {}

  constructor(
    private readonly frame: Window,
    private readonly heard: Heard,
  ) {}

  async start(): Promise<void> {
    addEventListener('message', (event: MessageEvent) => {
      if (event.source === this.frame && isMessage(event.data)) this.take(event.data)
    })
    const answer = (await this.ask('ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'berth', version: '1' },
      appCapabilities: {},
    })) as { hostCapabilities?: Capabilities; hostContext?: Context }
    this.can = answer.hostCapabilities ?? {}
    this.heard.context(answer.hostContext ?? {})
    this.tell('ui/notifications/initialized', {})
  }

  // ask sends a request; the promise fails with the host's words.
  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.last
    return new Promise((resolve, reject) => {
      this.waiting.set(id, (m) => (m.error ? reject(new Error(m.error.message ?? 'the host refused')) : resolve(m.result)))
      this.send({ jsonrpc: '2.0', id, method, params })
    })
  }

  tell(method: string, params: object): void {
    this.send({ jsonrpc: '2.0', method, params })
  }

  private send(message: Message): void {
    this.frame.postMessage(message, '*') // the host's origin is not known, and what is said is for it alone
  }

  private take(m: Message): void {
    if (m.method === undefined) {
      const settle = m.id === undefined ? undefined : this.waiting.get(m.id)
      if (m.id !== undefined) this.waiting.delete(m.id)
      settle?.(m)
      return
    }
    const params = (m.params ?? {}) as Record<string, unknown>
    if (m.method === 'ui/notifications/tool-input') this.heard.input((params['arguments'] ?? {}) as Record<string, unknown>)
    else if (m.method === 'ui/notifications/tool-result') this.heard.result(params)
    else if (m.method === 'ui/notifications/host-context-changed') this.heard.context(params)
    else if (m.id !== undefined) this.send({ jsonrpc: '2.0', id: m.id, ...answerTo(m.method) })
  }
}

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && 'jsonrpc' in data
}

// answerTo is what a host is told that asks: a ping, or that the view is to end.
function answerTo(method: string): Pick<Message, 'result' | 'error'> {
  if (method === 'ping' || method === 'ui/resource-teardown') return { result: {} }
  return { error: { code: -32601, message: `the view has no ${method}` } }
}
