import type { Credential } from './proof'
import type { Home } from './home'

// The page in an editor's tab. Its requests are messages to the extension,
// which holds the key and asks the instance:
//
//   page                                   extension
//    │ {id, path, method, headers, body} ──▶ │
//    │ ◀───────────── {id, status, headers}  │
//    │ ◀────────── {id, chunk: bytes}, each  │
//    │ ◀── {id, end: true} or {id, lost: true} │
//    │ {id, abort: true} ──────────────────▶ │
//
// Request 0 is none of the API: it asks whose page this is.

interface Editor {
  postMessage: (message: unknown) => void
  getState: () => unknown
  setState: (state: Kept) => void
}

type Kept = Record<string, string>

// Answer is a message of the extension.
export type Answer =
  | { id: number; status: number; headers: Record<string, string> }
  | { id: number; chunk: Uint8Array }
  | { id: number; end: true }
  | { id: number; lost: true }

const addressName = '#'

// webview returns the home of a page that an editor shows; null: none does.
export function webview(): Home | null {
  const { acquireVsCodeApi } = globalThis as { acquireVsCodeApi?: () => Editor }
  return acquireVsCodeApi ? homeOf(acquireVsCodeApi(), document) : null
}

export function homeOf(editor: Editor, page: Document): Home {
  const carrier = new Carrier((message) => editor.postMessage(message))
  addEventListener('message', (event: MessageEvent) => carrier.hear(event.data))
  const kept = { ...(editor.getState() as Kept | undefined) }
  const keep = (name: string, value: string): void => {
    kept[name] = value
    editor.setState(kept)
  }
  const said = (name: string): string | undefined => page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
  const [root, asked] = [said('berth-root'), said('berth-address')]
  if (root) keep('berthRoot', root) // the extension finds the tab's project by it after a reload
  if (asked) keep(addressName, asked)
  followTheme(page)
  return {
    request: (path, init) => carrier.request(path, init),
    async standing() {
      const answer = await carrier.request('', {}).catch(() => null)
      return answer?.ok ? ((await answer.json()) as Credential) : null
    },
    shares: false,
    announces: true,
    themed: true,
    read: (name) => kept[name] ?? null,
    keep,
    address: () => kept[addressName] ?? '',
    showAddress: (text) => keep(addressName, text),
    worker: workerOf,
  }
}

// workerOf starts a worker whose script is of another origin, as all files of a
// webview are: a browser starts only its own.
async function workerOf(url: string): Promise<Worker> {
  const script = await (await fetch(url)).blob()
  const own = URL.createObjectURL(script)
  try {
    return new Worker(own)
  } finally {
    setTimeout(() => URL.revokeObjectURL(own), 60_000) // it may not have begun to load
  }
}

// followTheme takes light or dark from the editor, which says it by a class of
// the body; what the system prefers is not heard in a webview.
function followTheme(page: Document): void {
  const take = (): void => {
    const dark = page.body.classList.contains('vscode-dark') || (page.body.classList.contains('vscode-high-contrast') && !page.body.classList.contains('vscode-high-contrast-light'))
    page.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
    page.documentElement.dataset['home'] = 'editor'
  }
  take()
  new MutationObserver(take).observe(page.body, { attributes: true, attributeFilter: ['class'] })
}

// Carrier carries requests as messages.
class Carrier {
  private last = 0
  private readonly open = new Map<number, Exchange>()

  constructor(private readonly post: (message: unknown) => void) {}

  request(path: string, init: RequestInit): Promise<Response> {
    const id = ++this.last
    const { signal } = init
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(aborted())
        return
      }
      const leave = (): void => {
        this.open.delete(id)
        signal?.removeEventListener('abort', abort)
      }
      const abort = (): void => {
        this.post({ id, abort: true })
        exchange.fail(aborted())
      }
      const exchange = new Exchange(resolve, reject, leave, abort)
      this.open.set(id, exchange)
      signal?.addEventListener('abort', abort)
      this.post({ id, path, method: init.method ?? 'GET', headers: init.headers ?? {}, body: init.body ?? null })
    })
  }

  hear(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('id' in message)) return
    this.open.get((message as Answer).id)?.take(message as Answer)
  }
}

function aborted(): DOMException {
  return new DOMException('the request was given up', 'AbortError')
}

// Exchange is one request and what has come of its answer.
class Exchange {
  private body: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(
    private readonly resolve: (answer: Response) => void,
    private readonly reject: (cause: Error) => void,
    private readonly leave: () => void,
    private readonly abort: () => void,
  ) {}

  take(answer: Answer): void {
    if ('status' in answer) this.begin(answer.status, answer.headers)
    else if ('chunk' in answer) this.body?.enqueue(answer.chunk)
    else if ('end' in answer) this.end()
    else this.fail(new TypeError('the instance cannot be reached'))
  }

  private begin(status: number, headers: Record<string, string>): void {
    if (status === 204 || status === 304) {
      this.resolve(new Response(null, { status, headers }))
      return
    }
    const stream = new ReadableStream<Uint8Array>({ start: (body) => void (this.body = body), cancel: () => this.abort() })
    this.resolve(new Response(stream, { status, headers }))
  }

  private end(): void {
    this.leave()
    try {
      this.body?.close()
    } catch {
      // its reader has given up
    }
  }

  fail(cause: Error): void {
    this.leave()
    this.reject(cause) // of no effect once it is answered
    try {
      this.body?.error(cause)
    } catch {
      // its reader has given up
    }
  }
}
