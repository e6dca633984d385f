import { beforeEach, expect, it, vi } from 'vitest'
import { home } from '../api/home'
import { Failure } from '../api/http'
import type { Ask, Trust } from '../api/types'
import { initial, store } from './state'
import { answerAsking, askToAllow, place, readTrust, revoke, sayTrust, trust, trusted, waiting } from './trust'

const { get, post } = vi.hoisted(() => ({ get: vi.fn<() => Promise<unknown>>(), post: vi.fn<(answer: unknown) => Promise<unknown>>() }))
vi.mock('../api/designs', () => ({ getTrust: get, postTrust: post }))

const ask = (digest: string, allowed = false): Ask => ({ digest, key: 'files.mode', words: `words of ${digest}`, file: '/app/.berth/config.yaml', trusted: allowed })
const list = (...asks: Ask[]): Trust => ({ projectRoot: '/app', command: 'berth trust /app', asks })
const said = (): string => store.get().toasts.map((t) => `${t.tone}: ${t.text}`).join('\n')
const digests = (asks: Ask[]): string[] => asks.map((a) => a.digest)

beforeEach(() => {
  store.set(initial)
  trust.set({ now: null, asking: [], answers: 0 })
  get.mockReset()
  post.mockReset()
})

it('allows exactly what the dialog showed, whatever the list has become', async () => {
  get.mockResolvedValue(list(ask('a'), ask('b'), ask('c', true)))
  await readTrust()
  expect(digests(waiting(trust.get().now))).toEqual(['a', 'b'])
  askToAllow(waiting(trust.get().now))
  get.mockResolvedValue(list(ask('a'), ask('b'), ask('d')))
  await readTrust()
  post.mockResolvedValue(list(ask('a', true), ask('b', true), ask('d')))
  await answerAsking(true)
  expect(post.mock.calls).toEqual([[{ trust: ['a', 'b'] }]])
  expect(digests(trusted(trust.get().now))).toEqual(['a', 'b'])
  expect(digests(waiting(trust.get().now))).toEqual(['d'])
  expect(said()).toMatch(/^good: Allowed\./)
})

it('sends nothing where the person says no, and nothing twice', async () => {
  askToAllow([ask('a')])
  await answerAsking(false)
  expect(post).not.toHaveBeenCalled()
  askToAllow([ask('a')])
  post.mockResolvedValue(list(ask('a', true)))
  await Promise.all([answerAsking(true), answerAsking(true)])
  expect(post).toHaveBeenCalledTimes(1)
})

it.each<[string, unknown, RegExp]>([
  ['a line that changed meanwhile', new Failure('invalid_request', 'read GET /trust again', 400), /^bad: Nothing was allowed: the project’s files have changed/],
  ['a record that cannot be written', new Failure('internal', 'record trust: disk full', 500), /^bad: Nothing was allowed: record trust: disk full$/],
])('says in words what was refused, and reads the list again: %s', async (_, cause, words) => {
  askToAllow([ask('a')])
  post.mockRejectedValue(cause)
  get.mockResolvedValue(list(ask('changed')))
  await answerAsking(true)
  expect(said()).toMatch(words)
  expect(digests(waiting(trust.get().now))).toEqual(['changed'])
  expect(trust.get().asking).toEqual([])
  askToAllow(waiting(trust.get().now))
  post.mockResolvedValue(list(ask('changed', true)))
  await answerAsking(true)
  expect(said()).toMatch(/^good: Allowed\.[^\n]*$/) // and the refusal is gone
})

it('an answer that was overtaken does not bring the old list back', async () => {
  let late: (now: Trust) => void = () => undefined
  get.mockReturnValueOnce(new Promise((resolve) => (late = resolve)))
  const reading = readTrust()
  askToAllow([ask('a')])
  post.mockResolvedValue(list(ask('a', true)))
  await answerAsking(true)
  late(list(ask('a')))
  await reading
  expect(waiting(trust.get().now)).toEqual([])
})

it('keeps the list it has where none can be read', async () => {
  trust.set({ now: list(ask('a')) })
  get.mockRejectedValue(new Error('offline'))
  await readTrust()
  expect(digests(waiting(trust.get().now))).toEqual(['a'])
})

it.each<[string, Trust, RegExp]>([
  ['the record', list(ask('a')), /^good: Taken back\./],
  ['not what the own config allows', list(ask('a', true)), /^warn: Your own config\.yaml still allows it/],
])('takes back %s', async (_, answer, words) => {
  post.mockResolvedValue(answer)
  await revoke()
  expect(post).toHaveBeenCalledWith({ revoke: true })
  expect(said()).toMatch(words)
  expect(trust.get().now).toBe(answer)
})

it('says why nothing was taken back', async () => {
  trust.set({ now: list(ask('a', true)) })
  post.mockRejectedValue(new Error('the instance cannot be reached'))
  await revoke()
  expect(said()).toBe('bad: Nothing was taken back: the instance cannot be reached')
  expect(trusted(trust.get().now)).toHaveLength(1)
})

it.each([
  ['/app/.berth/config.yaml', 3, '.berth/config.yaml:3'],
  ['C:\\app\\.env', undefined, 'C:\\app\\.env'],
  ['/app-other/.env', 1, '/app-other/.env:1'],
  ['/up/.berth/workspace.yaml', undefined, '/up/.berth/workspace.yaml'],
])('says where %s stands', (file, line, words) => {
  expect(place({ file, ...(line ? { line } : {}) }, '/app')).toBe(words)
})

it('says what waits unless an editor around the page asks for it', () => {
  const notice: Parameters<typeof sayTrust>[0] = { type: 'trust', lines: ['rights changed: files.mode is fast now'], waits: ['waits for your trust: config.yaml:1'] }
  sayTrust(notice)
  expect(said()).toBe('warn: rights changed: files.mode is fast now\nwarn: waits for your trust: config.yaml:1')
  store.set(initial)
  home.announces = true
  sayTrust(notice)
  home.announces = false
  expect(said()).toBe('warn: rights changed: files.mode is fast now')
})
