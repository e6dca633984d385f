import { beforeEach, expect, it, vi } from 'vitest'
import { Failure, Offline } from '../api/http'
import type { Item, ItemChange, Items } from '../api/items'
import { changeOf, freshenItems, joined, putAll, saveItems } from './items'
import { initial, store } from './state'

const put = vi.hoisted(() => vi.fn<(connection: string, items: Record<string, ItemChange | null>) => Promise<void>>())
const get = vi.hoisted(() => vi.fn<() => Promise<{ items: Items }>>())
vi.mock('../api/items', async (original) => ({ ...(await original<object>()), putItems: put, getItems: get }))

const item = (more: Partial<Item> = {}): Item => ({ kind: 'note', text: 'Look', colour: 'grey', x: 1, y: 2, width: 200, height: 100, ...more })

beforeEach(() => {
  vi.useFakeTimers()
  put.mockReset().mockResolvedValue()
  get.mockReset().mockResolvedValue({ items: {} })
  store.set({ ...initial, connection: 'main', items: {} })
})

it('the instance is told all of a new one, then the fields that are others', async () => {
  putAll({ a: item() })
  putAll({ a: item({ x: 5 }) }, true)
  await vi.advanceTimersByTimeAsync(400)
  expect(put.mock.calls).toEqual([['main', { a: item({ x: 5 }) }]])
  putAll({ a: item({ x: 9 }) }, true)
  putAll({ a: item({ x: 9, text: 'See' }) }, true)
  await vi.advanceTimersByTimeAsync(400)
  expect(put.mock.lastCall).toEqual(['main', { a: { x: 9, text: 'See' } }])
  putAll({ a: null })
  putAll({ a: item() })
  await vi.advanceTimersByTimeAsync(400)
  expect(put.mock.lastCall).toEqual(['main', { a: item() }])
  expect(changeOf(undefined, null, undefined)).toBeNull()
})

it('what an instance does not answer is told it later, and what it refuses is as it was', async () => {
  put.mockRejectedValueOnce(new Offline())
  putAll({ a: item() })
  await vi.advanceTimersByTimeAsync(400)
  expect(store.get().toasts).toEqual([])
  await saveItems()
  expect(put).toHaveBeenCalledTimes(2)
  expect(put.mock.lastCall).toEqual(['main', { a: item() }])

  put.mockRejectedValueOnce(new Failure('too_large', 'a canvas holds at most 200 areas and notes', 413))
  putAll({ b: item() })
  await vi.advanceTimersByTimeAsync(400)
  expect(store.get().toasts.map((t) => t.text)).toEqual(['Not kept: a canvas holds at most 200 areas and notes'])
  expect(store.get().items).toEqual({})
})

it('one that was refused with another is made by the next change of it', async () => {
  put.mockImplementationOnce(() => {
    putAll({ a: item({ x: 5 }) }) // while it is on its way
    return Promise.reject(new Failure('invalid', 'an area lies at most so far from the middle', 400))
  })
  putAll({ a: item(), b: item({ x: 1e9 }) })
  await vi.advanceTimersByTimeAsync(0)
  putAll({ b: item({ x: 3 }) })
  await vi.advanceTimersByTimeAsync(400)
  expect(put.mock.calls.slice(1).reduce((all, [, sent]) => ({ ...all, ...sent }), {})).toEqual({ a: item({ x: 5 }), b: item({ x: 3 }) })
})

it('what another page made is taken over, but for what is not saved yet', async () => {
  const [mine, theirs] = [{ a: item(), b: item() }, { a: item({ x: 7 }), b: item(), c: item() }]
  const next = joined(mine, theirs, new Set(['a']))
  expect(next).toEqual({ a: item(), b: item(), c: item() })
  expect(next['b']).toBe(mine.b) // nothing about it is drawn again
  expect(joined({}, { a: item() }, new Set(['a']))).toEqual({}) // removed here
  store.set({ items: mine })
  get.mockResolvedValue({ items: theirs })
  await freshenItems()
  expect(store.get().items).toEqual(theirs)
})

it('what was read before something was done here is not taken over, and requests follow one another', async () => {
  store.set({ items: { a: item() } })
  let reply: (r: { items: Items }) => void = () => undefined
  get.mockReturnValueOnce(new Promise((done) => (reply = done)))
  const reading = freshenItems()
  let saved: () => void = () => undefined
  put.mockReturnValueOnce(new Promise((done) => (saved = done)))
  putAll({ a: item({ x: 50 }) })
  await vi.advanceTimersByTimeAsync(1)
  putAll({ a: item({ x: 60 }) })
  await vi.advanceTimersByTimeAsync(1)
  expect(put).toHaveBeenCalledTimes(1)
  saved()
  await vi.advanceTimersByTimeAsync(1)
  expect(put.mock.calls.map(([, sent]) => sent['a']?.x)).toEqual([50, 60])
  get.mockResolvedValue({ items: { a: item({ x: 60 }) } })
  reply({ items: { a: item() } })
  await reading
  expect(store.get().items?.['a']?.x).toBe(60)
})
