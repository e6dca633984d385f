import type { IncomingMessage } from 'node:http'
import type { Call } from './instance'

// Carrier is the extension's end of the page's transport: requests come as
// messages and are sent on with the key, which the page never sees.
// designer/page/src/api/webview.ts is the other end.

export interface Way {
  open: (path: string, call: Call) => Promise<IncomingMessage>
  root: string
  served: boolean
}

interface Asked {
  id: number
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string | null
  abort?: boolean
}

// What a page may send on; a header of its own could carry another credential.
const headers = new Set(['content-type', 'if-none-match', 'last-event-id', 'accept'])

// These are the business of whoever holds the key, or open what a tab cannot.
const kept = /^\/(signin|keys|projects\/open|handover|shutdown|mcp|calls)(\/|\?|$)/

export class Carrier {
  private readonly running = new Map<number, AbortController>()

  constructor(
    private readonly way: Way,
    private readonly post: (message: unknown) => void,
  ) {}

  // hear takes one message of the page.
  async hear(message: unknown): Promise<void> {
    if (typeof message !== 'object' || message === null || typeof (message as Asked).id !== 'number') return
    const asked = message as Asked
    if (asked.abort) {
      this.running.get(asked.id)?.abort()
      return
    }
    if (asked.path === '') this.standing(asked.id)
    else if (kept.test(asked.path ?? '') || !asked.path?.startsWith('/')) this.say(asked.id, 403, { error: 'forbidden', message: 'the editor does this for the page' })
    else await this.carry(asked.id, asked.path, asked)
  }

  // end gives up all requests, as when the tab is closed.
  end(): void {
    for (const abort of this.running.values()) abort.abort()
    this.running.clear()
  }

  private standing(id: number): void {
    if (!this.way.served) this.post({ id, lost: true })
    else this.say(id, 200, { keyId: '', key: '', projectRoot: this.way.root, projectRootHash: '' })
  }

  private say(id: number, status: number, body: unknown): void {
    this.post({ id, status, headers: { 'content-type': 'application/json' } })
    this.post({ id, chunk: new TextEncoder().encode(JSON.stringify(body)) })
    this.post({ id, end: true })
  }

  private async carry(id: number, path: string, asked: Asked): Promise<void> {
    const abort = new AbortController()
    this.running.set(id, abort)
    try {
      const call: Call = { method: asked.method ?? 'GET', headers: allowed(asked.headers ?? {}), body: asked.body ?? null, signal: abort.signal }
      const answer = await this.way.open(path, call)
      this.post({ id, status: answer.statusCode ?? 0, headers: plain(answer) })
      for await (const chunk of answer) this.post({ id, chunk: new Uint8Array(chunk as Buffer) })
      this.post({ id, end: true })
    } catch {
      if (!abort.signal.aborted) this.post({ id, lost: true })
    } finally {
      this.running.delete(id)
    }
  }
}

function allowed(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => headers.has(name.toLowerCase())))
}

function plain(answer: IncomingMessage): Record<string, string> {
  const list: Record<string, string> = {}
  for (const name of ['content-type', 'etag']) {
    const value = answer.headers[name]
    if (typeof value === 'string') list[name] = value
  }
  return list
}
