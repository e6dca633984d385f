import { follow, type StreamItem } from './events'
import { home } from './home'
import { Inbox } from './inbox'

// One event stream for all tabs of a browser. A browser opens six connections
// to an origin, and a stream holds one for good: with a stream each, the
// seventh tab would wait for ever, and the sixth could not save.
//
//   instance ══ stream ══▶ the tab that holds the lock ── channel ──▶ the others
//
// The browser hands the lock on when its holder is closed, crashes or is
// discarded. A holder that is about to be frozen gives it up; one that has
// stopped silently loses it after a while. Every message says how far the
// stream has come, so that a tab that missed something reads again.

// Parts are what a browser has for it, and the stream of one's own.
export interface Parts {
  locks: Pick<LockManager, 'request'>
  open: (name: string) => Channel
  own: (after: number, signal: AbortSignal) => AsyncGenerator<StreamItem>
  lifecycle: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> // of the document
}

export type Channel = Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'>

// Message is what tabs tell each other. at: the number of the last event that
// the sender has passed on.
type Message = { ask: true } | { from: string; at: number; item: StreamItem } | { from: string; ended: true }

// silence is how long a tab waits for the one that leads: longer than that
// one waits for the instance, so that a silent instance is not taken for a
// silent tab. No two tabs wait equally long.
const silence = (): number => 60_000 + Math.random() * 10_000

// share follows the instance's events together with the browser's other tabs
// of the project, or alone where the browser has no way to.
export function share(project: string, after: number, signal: AbortSignal): AsyncGenerator<StreamItem> {
  const parts = home.shares ? shared() : null
  return parts ? followTogether(`berth events ${project}`, after, signal, parts) : follow(after, signal)
}

function shared(): Parts | null {
  const { locks } = navigator as { locks?: LockManager } // missing outside secure contexts and in old browsers
  if (!locks || !('BroadcastChannel' in globalThis)) return null
  return { locks, open: (name) => new BroadcastChannel(name), own: follow, lifecycle: document }
}

// followTogether yields what the stream of all tabs under a name yields after
// an event. It ends when that stream does, whoever held it.
export async function* followTogether(name: string, after: number, signal: AbortSignal, parts: Parts): AsyncGenerator<StreamItem> {
  const tab = new Tab(name, after, parts)
  const stop = (): void => tab.leave()
  signal.addEventListener('abort', stop)
  try {
    if (!signal.aborted) tab.join()
    yield* tab.inbox
  } finally {
    signal.removeEventListener('abort', stop)
    tab.leave()
  }
}

class Tab {
  readonly inbox = new Inbox<StreamItem>()
  private readonly id = crypto.randomUUID()
  private readonly channel: Channel
  private seq: number // of the last event in the inbox
  private leads = false
  private stands = false // the stream that this tab leads
  private leader = '' // whose stream is heard
  private turn = new AbortController() // at the lock: waiting for it or holding it
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly name: string,
    after: number,
    private readonly parts: Parts,
  ) {
    this.seq = after
    this.channel = parts.open(name)
    this.channel.onmessage = (event: MessageEvent): void => this.hear(event.data as Message)
    parts.lifecycle.addEventListener('freeze', this.pause)
    parts.lifecycle.addEventListener('resume', this.join)
  }

  // join asks where the stream is and queues for the lock.
  readonly join = (): void => {
    this.follow()
    const { signal } = this.turn
    this.queue(signal, { signal })
    this.tell({ ask: true })
  }

  leave(cause: Error | null = null): void {
    this.pause()
    this.parts.lifecycle.removeEventListener('freeze', this.pause)
    this.parts.lifecycle.removeEventListener('resume', this.join)
    this.channel.onmessage = null
    this.channel.close()
    this.inbox.end(cause)
  }

  // pause gives up the lock, or the place in its queue: a frozen tab that
  // holds it would leave all others without a stream.
  private readonly pause = (): void => {
    this.turn.abort()
    clearTimeout(this.timer)
    this.leads = this.stands = false
  }

  private follow(): void {
    this.pause()
    this.turn = new AbortController()
    this.listen()
  }

  private listen(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.rob(), silence())
  }

  // rob takes the lock from a tab that holds it and says nothing.
  private rob(): void {
    this.follow()
    this.queue(this.turn.signal, { steal: true })
  }

  private queue(signal: AbortSignal, options: LockOptions): void {
    this.parts.locks.request(this.name, options, () => this.lead(signal)).catch((cause: unknown) => {
      if (signal.aborted) return
      if (cause instanceof DOMException && cause.name === 'AbortError') this.join() // robbed
      else void this.lead(signal) // no locks in this frame: a stream of one's own
    })
  }

  private lead(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    clearTimeout(this.timer)
    this.leads = true
    void this.pass(signal)
    return new Promise((done) => signal.addEventListener('abort', () => done()))
  }

  private async pass(signal: AbortSignal): Promise<void> {
    try {
      for await (const item of this.parts.own(this.seq, signal)) {
        if (signal.aborted) return
        if (item.kind === 'event') this.seq = item.event.seq
        this.stands = true
        this.tell({ from: this.id, at: this.seq, item })
        this.inbox.put(item)
      }
      this.end(signal, null)
    } catch (cause) {
      this.end(signal, cause instanceof Error ? cause : new Error(String(cause)))
    }
  }

  private end(signal: AbortSignal, cause: Error | null): void {
    if (signal.aborted) return
    this.tell({ from: this.id, ended: true })
    this.leave(cause)
  }

  private tell(message: Message): void {
    this.channel.postMessage(message)
  }

  private hear(message: Message): void {
    if ('ask' in message) {
      if (this.leads && this.stands) this.tell({ from: this.id, at: this.seq, item: { kind: 'alive' } })
    } else if (this.leads) {
      // From one that was robbed and has not noticed.
    } else if ('ended' in message) {
      if (message.from === this.leader || this.leader === '') this.leave()
    } else {
      this.listen()
      this.take(message.from, message.at, message.item)
    }
  }

  private take(from: string, at: number, item: StreamItem): void {
    if (from !== this.leader || item.kind === 'standing') this.inbox.put({ kind: 'standing' })
    this.leader = from
    const missed = (item.kind === 'event' ? at - 1 : at) > this.seq
    const reset = missed || (item.kind === 'event' && item.event.type === 'reset')
    if (reset) this.inbox.put({ kind: 'event', event: { seq: at, type: 'reset' } })
    else if (item.kind === 'event' && at > this.seq) this.inbox.put(item)
    if (item.kind === 'notice' || item.kind === 'alive') this.inbox.put(item)
    this.seq = reset ? at : Math.max(this.seq, at)
  }
}
