import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DesignEvent } from '../api/types'
import type { StreamItem } from './events'
import { Inbox } from './inbox'
import { followTogether, type Channel, type Parts } from './together'

// A browser with tabs: one lock with its queue, one channel, and for each tab
// a stream that the test feeds. As in browsers, a request that was robbed
// fails, and a message reaches everyone but its sender.

interface Turn {
  run: () => Promise<void>
  fail: (cause: DOMException) => void
  done: () => void
}

const aborted = (): DOMException => new DOMException('taken', 'AbortError')

class Browser {
  holder: Turn | null = null
  queue: Turn[] = []
  readonly channels = new Set<Channel>()

  request(options: LockOptions, run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn: Turn = { run, fail: reject, done: resolve }
      options.signal?.addEventListener('abort', () => {
        if (!this.queue.includes(turn)) return
        this.queue = this.queue.filter((t) => t !== turn)
        reject(aborted())
      })
      if (options.steal) {
        this.holder?.fail(aborted())
        this.holder = null
        this.queue.unshift(turn)
      } else this.queue.push(turn)
      this.next()
    })
  }

  next(): void {
    if (this.holder) return
    const turn = (this.holder = this.queue.shift() ?? null)
    void turn?.run().then(() => {
      turn.done()
      if (this.holder === turn) this.holder = null
      this.next()
    })
  }

  open(): Channel {
    const channel: Channel = {
      onmessage: null,
      postMessage: (data: unknown) => {
        const others = [...this.channels].filter((c) => c !== channel)
        const hear = (c: Channel): void => void c.onmessage?.call(c as BroadcastChannel, { data: structuredClone(data) } as MessageEvent)
        queueMicrotask(() => others.forEach(hear))
      },
      close: () => this.channels.delete(channel),
    }
    this.channels.add(channel)
    return channel
  }
}

class TestTab {
  readonly items: StreamItem[] = []
  readonly lifecycle = new EventTarget()
  readonly stop = new AbortController()
  streams: { after: number; feed: Inbox<StreamItem>; signal: AbortSignal }[] = []
  over: unknown = undefined // null: in good order

  constructor(browser: Browser, after: number, locks?: Parts['locks']) {
    const parts: Parts = {
      locks: locks ?? ({ request: (_: string, options: LockOptions, run: () => Promise<void>) => browser.request(options, run) } as Parts['locks']),
      open: () => browser.open(),
      own: (from, signal) => this.stream(from, signal),
      lifecycle: this.lifecycle,
    }
    void this.read(followTogether('all', after, this.stop.signal, parts))
  }

  private async *stream(after: number, signal: AbortSignal): AsyncGenerator<StreamItem> {
    const feed = new Inbox<StreamItem>()
    signal.addEventListener('abort', () => feed.end())
    this.streams.push({ after, feed, signal })
    feed.put({ kind: 'standing' })
    yield* feed
  }

  private async read(all: AsyncGenerator<StreamItem>): Promise<void> {
    try {
      for await (const item of all) this.items.push(item)
      this.over = null
    } catch (cause) {
      this.over = cause
    }
  }

  // open are the streams of its own that this tab holds.
  get open(): number {
    return this.streams.filter((s) => !s.signal.aborted).length
  }

  get feed(): Inbox<StreamItem> {
    const stream = this.streams.at(-1)
    if (!stream) throw new Error('this tab has no stream')
    return stream.feed
  }

  get heard(): string[] {
    return this.items.map((i) => (i.kind === 'event' ? `${i.event.seq}${i.event.type === 'reset' ? ' reset' : ''}` : i.kind))
  }
}

const event = (seq: number, type: DesignEvent['type'] = 'committed'): StreamItem => ({ kind: 'event', event: { seq, type } })
const notice: StreamItem = { kind: 'notice', notice: { type: 'approvals' } }

let browser: Browser
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1)
const tabs = async (...after: number[]): Promise<TestTab[]> => {
  const list: TestTab[] = []
  for (const seq of after) {
    list.push(new TestTab(browser, seq))
    await settled()
  }
  return list
}

beforeEach(() => {
  vi.useFakeTimers()
  browser = new Browser()
})
afterEach(() => vi.useRealTimers())

it('eight tabs hold one stream, and all hear what it brings, once and in order', async () => {
  const all = await tabs(5, 5, 5, 5, 5, 5, 5, 5)
  expect(all.map((t) => t.open)).toEqual([1, 0, 0, 0, 0, 0, 0, 0])
  all[0]?.feed.put(event(6))
  all[0]?.feed.put(notice)
  all[0]?.feed.put(event(7))
  await settled()
  for (const t of all) expect(t.heard.filter((h) => h !== 'alive')).toEqual(['standing', '6', 'notice', '7'])
})

it('a tab that comes later is told that the stream stands, and that it missed something only if it did', async () => {
  const [leader] = await tabs(5)
  leader?.feed.put(event(6))
  leader?.feed.put(event(7))
  await settled()
  const [late, current] = await tabs(5, 7)
  leader?.feed.put(event(8))
  await settled()
  expect(late?.heard.filter((h) => h !== 'alive')).toEqual(['standing', '7 reset', '8'])
  expect(current?.heard.filter((h) => h !== 'alive')).toEqual(['standing', '8'])
})

it('a tab that read a newer snapshot than the stream has come to is not set back', async () => {
  const [leader, ahead] = await tabs(5, 7)
  for (const seq of [6, 7, 8]) leader?.feed.put(event(seq))
  await settled()
  expect(ahead?.heard.filter((h) => h !== 'alive')).toEqual(['standing', '8'])
})

it('the tab that leads is closed: the next continues where it was, and the lists are read again', async () => {
  const [leader, next, third] = await tabs(5, 5, 5)
  leader?.feed.put(event(6))
  await settled()
  leader?.stop.abort()
  await settled()
  expect([leader?.over, leader?.open, next?.open, third?.open]).toEqual([null, 0, 1, 0])
  expect(next?.streams[0]?.after).toBe(6)
  next?.feed.put(event(7))
  await settled()
  expect(third?.heard.filter((h) => h !== 'alive')).toEqual(['standing', '6', 'standing', '7'])
})

it('events that were lost with a tab that crashed are noticed', async () => {
  const [leader, next, third] = await tabs(5, 6, 5)
  leader?.stop.abort() // the instance had sent it 6, and it told nobody
  await settled()
  expect(next?.streams[0]?.after).toBe(6)
  next?.feed.put(event(7))
  await settled()
  expect(third?.heard.filter((h) => h !== 'alive')).toEqual(['standing', 'standing', '6 reset', '7'])
})

it('a tab that is frozen gives the stream up, and follows again when it thaws', async () => {
  const [leader, next] = await tabs(5, 5)
  leader?.lifecycle.dispatchEvent(new Event('freeze'))
  await settled()
  expect([leader?.open, next?.open]).toEqual([0, 1])
  leader?.lifecycle.dispatchEvent(new Event('resume'))
  await settled()
  next?.feed.put(event(6))
  await settled()
  expect([leader?.open, next?.open]).toEqual([0, 1])
  expect(leader?.heard.filter((h) => h !== 'alive')).toEqual(['standing', 'standing', '6'])
})

it('a frozen tab is not given the stream while it waits for it', async () => {
  const [leader, frozen, third] = await tabs(5, 5, 5)
  frozen?.lifecycle.dispatchEvent(new Event('freeze'))
  leader?.stop.abort()
  await settled()
  expect([frozen?.open, third?.open]).toEqual([0, 1])
})

it('a tab that holds the stream and is silent is robbed of it, by one other', async () => {
  const [silent, ...others] = await tabs(5, 5, 5)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(silent?.open).toBe(1)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(others.map((t) => t.open).sort()).toEqual([0, 1])
  expect(silent?.open).toBe(0)
  others.find((t) => t.open === 1)?.feed.put(event(6))
  await settled()
  for (const t of [silent, ...others]) expect(t?.heard.at(-1)).toBe('6')
})

it('a sign of life every 15 seconds keeps the stream where it is', async () => {
  const [leader, other] = await tabs(5, 5)
  for (let i = 0; i < 20; i++) {
    leader?.feed.put({ kind: 'alive' })
    await vi.advanceTimersByTimeAsync(15_000)
  }
  expect([leader?.open, other?.open]).toEqual([1, 0])
})

it('the stream ends, or fails, for all at once', async () => {
  const [leader, other] = await tabs(5, 5)
  leader?.feed.put(event(6))
  leader?.feed.end(new Error('revoked'))
  await settled()
  expect(leader?.over).toEqual(new Error('revoked'))
  expect(other?.over).toBe(null)
  expect(other?.heard.at(-1)).toBe('6')
})

it('where a frame may not have locks each tab has a stream of its own', async () => {
  const denied = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) } as unknown as Parts['locks']
  const [a, b] = [new TestTab(browser, 5, denied), new TestTab(browser, 5, denied)]
  await settled()
  for (const t of [a, b]) t.feed.put(event(6))
  await settled()
  for (const t of [a, b]) expect(t.heard).toEqual(['standing', '6'])
})
