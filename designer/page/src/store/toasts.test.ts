import { beforeEach, expect, it, vi } from 'vitest'
import type { Outcome } from '../api/edits'
import { shop } from '../test/designs'
import { editAloud } from './queue'
import { initial, store } from './state'
import { undoOf } from './steps'
import { closeToast, toast } from './toasts'

const sent = vi.hoisted(() => vi.fn<() => Promise<Outcome>>())
vi.mock('../api/tools', () => ({ designer: sent }))

const said = (): string[] => store.get().toasts.map((t) => t.text)

beforeEach(() => {
  sent.mockReset()
  store.set({ ...initial, connection: 'main', confirmed: shop(), design: shop() })
})

it('a toast leaves once its matter is settled, and no other does', () => {
  toast('bad', 'stays')
  toast('warn', 'no panel is open', { sticky: true, stands: () => store.get().panel === null })
  store.set({ helping: true })
  expect(said()).toEqual(['stays', 'no panel is open'])
  store.set({ panel: 'changes' })
  expect(said()).toEqual(['stays'])
})

it('the same text said again is one toast, which leaves by the newer matter', () => {
  const once = toast('info', 'wait', { stands: () => store.get().panel === null })
  toast('info', 'wait', { stands: () => !store.get().helping })
  closeToast(once)
  store.set({ panel: 'changes' })
  expect(said()).toEqual(['wait'])
  store.set({ helping: true })
  expect(said()).toEqual([])
})

it('an undo is offered until something else was done', () => {
  toast('good', 'Added.', undoOf('v1'))
  store.set({ panel: 'changes' })
  expect(said()).toEqual(['Added.'])
  store.set({ confirmed: { ...shop(), version: 'v2' } })
  expect(said()).toEqual([])
})

it('a refusal is said until an edit is made', async () => {
  sent.mockResolvedValueOnce({ success: false, reason: 'validation_error', message: 'There is a table Order.' })
  await editAloud([{ op: 'set_table', table: { id: 'x' }, set: { name: 'Order' } }])
  expect(said()).toEqual(['There is a table Order.'])
  sent.mockResolvedValueOnce({ success: true, version: 'v2', receipt: { changes: {}, warnings: [] } })
  await editAloud([{ op: 'set_table', table: { id: 'x' }, set: { name: 'Orders' } }])
  expect(said()).toEqual([])
})
