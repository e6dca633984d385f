import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onSilence } from './answering'
import { authorize, send } from './http'

const instance = vi.hoisted(() => ({ request: undefined as unknown as (path: string, init: RequestInit) => Promise<Response> }))
vi.mock('./home', () => ({ home: { request: (path: string, init: RequestInit) => instance.request(path, init) } }))

const said: boolean[] = []
let frozen: (() => void)[] | null = null // answers that are held back; null: the instance runs
let probes = 0

function freeze(): void {
  frozen = []
}

function thaw(): void {
  const held = frozen ?? []
  frozen = null
  for (const answer of held) answer()
}

// slow is a path that takes its time though the instance answers others.
instance.request = (path, { signal }) => {
  if (path === '/health') probes++
  return new Promise((resolve, reject) => {
    const answer = (): void => resolve(new Response('{}'))
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
    if (frozen) frozen.push(answer)
    else if (path === '/slow') setTimeout(answer, 20_000)
    else answer()
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(new DOMException('too late', 'TimeoutError')), ms)
    return abort.signal
  })
  said.length = probes = 0
  onSilence((silent) => said.push(silent))
  authorize({ keyId: 'k', key: 'x', projectRoot: '/p', projectRootHash: '' })
})

afterEach(() => {
  thaw()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('a request that nobody answers is said within 3 s, and taken back with the answer', async () => {
  freeze()
  const asked = send('/designs/main/look')
  await vi.advanceTimersByTimeAsync(900)
  expect(said).toEqual([])
  await vi.advanceTimersByTimeAsync(2_100)
  expect(said).toEqual([true])
  await vi.advanceTimersByTimeAsync(20_000)
  thaw()
  await asked
  expect(said).toEqual([true, false])
  probes = 0
  await vi.advanceTimersByTimeAsync(20_000)
  expect(probes).toBe(0) // nothing is asked while nothing waits
})

it('it is taken back too where the request was given up meanwhile', async () => {
  freeze()
  const abort = new AbortController()
  const asked = send('/designs/main/look', { signal: abort.signal }).catch(() => undefined)
  await vi.advanceTimersByTimeAsync(3_000)
  abort.abort()
  await asked
  expect(said).toEqual([true])
  thaw()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(said).toEqual([true, false])
})

it('a call that takes its time is no silence: the instance answers beside it', async () => {
  const asked = send('/slow')
  await vi.advanceTimersByTimeAsync(20_000)
  await asked
  expect(said).toEqual([])
  expect(probes).toBeGreaterThan(5)
})

it('an instance that freezes during a call is said within 3 s of the next request', async () => {
  void send('/slow')
  await vi.advanceTimersByTimeAsync(5_200)
  freeze()
  void send('/designs/main/look')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(said).toEqual([true])
  thaw()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(said).toEqual([true, false])
})

it('an answer of a moment asks for nothing', async () => {
  await send('/designs')
  await vi.advanceTimersByTimeAsync(5_000)
  expect([said.length, probes]).toEqual([0, 0])
})
