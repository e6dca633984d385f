import { beforeEach, expect, it, vi } from 'vitest'
import type { Outcome } from '../api/edits'
import type { History, HistoryStep } from '../api/types'
import { shop } from '../test/designs'
import { edit } from './queue'
import { initial, store } from './state'
import { step } from './steps'

type Args = { payload: { expectedVersion: string; steps?: number; batch?: boolean } }
const sent = vi.hoisted(() => vi.fn<(operation: string, connection: string, args: Args) => Promise<Outcome>>())
const history = vi.hoisted(() => vi.fn<() => Promise<History>>())
vi.mock('../api/tools', () => ({ designer: sent }))
vi.mock('../api/designs', () => ({ getHistory: history }))

const accepted = (version: string): Outcome => ({ success: true, version, receipt: { changes: {}, warnings: [] } })
const stale: Outcome = { success: false, reason: 'stale_state', message: 'stale', currentVersion: 'v9' }
const calls = () => sent.mock.calls.map(([operation, , args]) => `${operation} ${args.payload.expectedVersion}`)

const by = (origin: HistoryStep['origin'], batchId: string): HistoryStep => ({ step: 3, batchId, origin, at: '', description: '' })

beforeEach(() => {
  sent.mockReset()
  history.mockReset().mockResolvedValue({ version: 'v1', undo: [], redo: [], happened: [] })
  const design = { ...shop(), undoSteps: 3, redoSteps: 1 }
  store.set({ ...initial, connection: 'main', confirmed: design, design })
})

it('steps asked for at once follow one another, each on what the one before led to', async () => {
  sent.mockResolvedValueOnce(accepted('u1')).mockResolvedValueOnce(accepted('u2')).mockResolvedValueOnce(accepted('r1'))
  await Promise.all([step('undo'), step('undo'), step('redo')])
  expect(calls()).toEqual(['undo v1', 'undo u1', 'redo u2'])
})

it('a refused step ends those that wait behind it, so that nothing unseen is taken back', async () => {
  sent.mockResolvedValue(stale)
  await Promise.all([step('undo'), step('undo'), step('undo')])
  expect(calls()).toEqual(['undo v1'])
  sent.mockResolvedValue(accepted('u1'))
  await step('undo')
  expect(sent).toHaveBeenCalledTimes(2)
})

it('an undo waits for the edit that is still on its way, and means that one', async () => {
  let reply: (outcome: Outcome) => void = () => undefined
  sent.mockReturnValueOnce(new Promise((done) => (reply = done))).mockResolvedValueOnce(accepted('v1'))
  void edit([{ op: 'set_table', table: { id: 'x' }, set: { name: 'Journal' } }])
  const undone = step('undo')
  await Promise.resolve()
  expect(sent).toHaveBeenCalledTimes(1)
  reply(accepted('v2'))
  await undone
  expect(calls()).toEqual(['apply_edits v1', 'undo v2'])
})

it('nothing is asked of the instance where there is nothing to undo', async () => {
  const design = { ...shop(), undoSteps: 0 }
  store.set({ confirmed: design, design })
  await step('undo')
  expect(sent).not.toHaveBeenCalled()
})

it.each<[string, Partial<History>, boolean]>([
  ['a call of a page is one gesture', { undo: [by('page', 'b')] }, true],
  ['an agent’s call goes edit by edit', { undo: [by('agent', 'b')] }, false],
  ['a step of no call is taken alone', { undo: [by('page', '')] }, false],
  ['a design that has changed meanwhile says nothing of the step that was meant', { version: 'v2', undo: [by('page', 'b')] }, false],
  ['undo does not ask about what redo would make', { redo: [by('page', 'b')] }, false],
])('%s', async (_, given, whole) => {
  history.mockResolvedValue({ version: 'v1', undo: [], redo: [], happened: [], ...given })
  sent.mockResolvedValue(accepted('u1'))
  await step('undo')
  expect(sent.mock.calls[0]?.[2].payload).toEqual({ expectedVersion: 'v1', ...(whole ? { batch: true } : { steps: 1 }) })
})

it('redo makes a whole gesture again', async () => {
  history.mockResolvedValue({ version: 'v1', undo: [by('agent', 'a')], redo: [by('page', 'b')], happened: [] })
  sent.mockResolvedValue(accepted('r1'))
  await step('redo')
  expect(sent.mock.calls[0]?.[2].payload).toEqual({ expectedVersion: 'v1', batch: true })
})
