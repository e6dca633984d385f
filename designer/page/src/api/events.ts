import { send } from './http'
import { lines } from './lines'
import type { Notice } from './notices'
import type { DesignEvent } from './types'

// The event stream, read with fetch because EventSource sends no
// Authorization. It ends when the connection does; who follows comes back.

// StreamItem: standing comes first, and again where another stream took the
// place of the first; alive is said in every silence.
export type StreamItem = { kind: 'event'; event: DesignEvent } | { kind: 'notice'; notice: Notice } | { kind: 'standing' | 'alive' }

// silence is how long nothing may come, heartbeats included, before the
// stream counts as dead: three of the instance's heartbeats.
const silence = 45_000

export async function* follow(after: number, signal: AbortSignal): AsyncGenerator<StreamItem> {
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  signal.addEventListener('abort', stop)
  let timer = setTimeout(stop, silence)
  try {
    const answer = await send(`/events?after=${after}`, { signal: abort.signal })
    if (!answer.body) return
    let hasId = false
    let stands = false
    for await (const line of lines(answer.body)) {
      clearTimeout(timer)
      timer = setTimeout(stop, silence)
      if (line.startsWith(':')) {
        yield { kind: stands ? 'alive' : 'standing' }
        stands = true
      }
      if (line.startsWith('id:')) hasId = true
      else if (line === '') hasId = false
      else if (line.startsWith('data:')) yield read(line.slice(5), hasId)
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    abort.abort()
  }
}

function read(text: string, hasId: boolean): StreamItem {
  const value: unknown = JSON.parse(text)
  return hasId ? { kind: 'event', event: value as DesignEvent } : { kind: 'notice', notice: value as Notice }
}
