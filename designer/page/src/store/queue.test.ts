import { beforeEach, expect, it, vi } from 'vitest'
import type { Edit, Outcome } from '../api/edits'
import { Offline } from '../api/http'
import { column, shop, snapshot, table } from '../test/designs'
import { fromSnapshot } from './design'
import { confirm, edit, editAloud, onResync, pump } from './queue'
import { initial, store } from './state'

const sent = vi.hoisted(() => vi.fn<(operation: string, connection: string, args: { payload: { expectedVersion: string } }) => Promise<Outcome>>())
vi.mock('../api/tools', () => ({ designer: sent }))

const accepted = (version: string): Outcome => ({ success: true, version, receipt: { changes: {}, warnings: [] } })
const stale: Outcome = { success: false, reason: 'stale_state', message: 'stale', currentVersion: 'v2' }
const rename = (name: string) => edit([{ op: 'set_column', table: { id: 'c' }, column: { id: 'c2' }, set: { name } }])
const mail = () => store.get().design?.tables.get('c')?.columns[1]?.name
const renamed = (name: string, version: string, seq: number) => {
  const tables = [...shop().tables.values()].map((t) => (t.id === 'c' ? table('c', 'Customer', [column('c1', 'Id'), column('c2', name)]) : t))
  return fromSnapshot(snapshot(tables, version, seq), store.get().confirmed)
}

beforeEach(() => {
  sent.mockReset()
  store.set({ ...initial, connection: 'main', confirmed: shop(), design: shop() })
})

it('an edit is shown at once and stays shown until its event has come', async () => {
  sent.mockResolvedValue(accepted('v2'))
  const outcome = rename('Email')
  expect(mail()).toBe('Email')
  expect((await outcome).success).toBe(true)
  expect(store.get().pending).toHaveLength(1)
  confirm(renamed('Email', 'v2', 2), 'v2')
  expect(store.get().pending).toEqual([])
  expect(mail()).toBe('Email')
})

it('an edit whose event was faster than its reply leaves nothing behind', async () => {
  sent.mockImplementation(() => {
    confirm(renamed('Email', 'v2', 2), 'v2')
    return Promise.resolve(accepted('v2'))
  })
  await rename('Email')
  expect(store.get().pending).toEqual([])
})

it('edits are sent one after the other, each on the version of the one before', async () => {
  sent.mockResolvedValueOnce(accepted('v2')).mockResolvedValueOnce(accepted('v3'))
  await Promise.all([rename('Email'), edit([{ op: 'set_table', table: { id: 'x' }, set: { name: 'Journal' } }])])
  expect(sent.mock.calls.map(([, , args]) => args.payload.expectedVersion)).toEqual(['v1', 'v2'])
})

it('a refused edit is taken back and its refusal handed on', async () => {
  sent.mockResolvedValue({ success: false, reason: 'validation_error', message: 'no' })
  expect(await rename('Email')).toMatchObject({ success: false, message: 'no' })
  expect(mail()).toBe('Mail')
})

it('a stale edit is made again on the new version where nothing it touches has changed', async () => {
  onResync(() => {
    confirm(fromSnapshot(snapshot([...shop().tables.values()].filter((t) => t.id !== 'x'), 'v2', 2), store.get().confirmed), null)
    return Promise.resolve()
  })
  sent.mockResolvedValueOnce(stale).mockResolvedValueOnce(accepted('v3'))
  expect((await rename('Email')).success).toBe(true)
  expect(sent.mock.calls[1]?.[2].payload.expectedVersion).toBe('v2')
})

it('a stale edit of what somebody else has changed is refused, and the other edit stays', async () => {
  onResync(() => {
    confirm(renamed('MailAddress', 'v2', 2), null)
    return Promise.resolve()
  })
  sent.mockResolvedValueOnce(stale)
  expect(await rename('Email')).toMatchObject({ success: false, reason: 'conflict' })
  expect(sent).toHaveBeenCalledTimes(1)
  expect(mail()).toBe('MailAddress')
})

it('a gesture that clashes with what somebody else did asks the person, and both sides are known', async () => {
  onResync(() => {
    confirm(renamed('MailAddress', 'v2', 2), null)
    return Promise.resolve()
  })
  sent.mockResolvedValueOnce(stale)
  const edits: Edit[] = [{ op: 'set_column', table: { id: 'c' }, column: { id: 'c2' }, set: { name: 'Email' } }]
  await editAloud(edits)
  expect(store.get().clashes).toMatchObject([{ edits, items: [{ theirs: 'name MailAddress, was Mail', mine: 'name Email', gone: false }] }])
  expect(store.get().toasts).toEqual([])
})

it('an edit that finds nobody waits and is sent when the instance is back', async () => {
  sent.mockImplementationOnce(() => {
    store.set({ online: false })
    return Promise.reject(new Offline())
  })
  const outcome = rename('Email')
  await vi.waitFor(() => expect(store.get().pending[0]?.state).toBe('queued'))
  expect(mail()).toBe('Email')
  sent.mockResolvedValueOnce(accepted('v2'))
  store.set({ online: true })
  await pump()
  expect((await outcome).success).toBe(true)
})

it('a relation that is drawn from a column on its way to the instance follows it', async () => {
  sent.mockResolvedValue(accepted('v2'))
  const outcome = edit([{ op: 'add_column', table: { id: 'x' }, column: { name: 'place', dataType: 'INTEGER' } }])
  const shown = store.get().design?.tables.get('x')
  const invented = shown?.columns.at(-1)?.id ?? ''
  expect(invented).toMatch(/^new:/)
  store.set({ form: { kind: 'relation', table: 'x', key: null, draft: { column: invented, refTable: 'c', refColumn: 'c1' } } })
  await outcome
  const tables = [...shop().tables.values()].map((t) => (t.id === 'x' ? { ...t, columns: [...t.columns, column('real', 'place')] } : t))
  confirm(fromSnapshot(snapshot(tables, 'v2', 2), store.get().confirmed), 'v2')
  expect(store.get().form).toMatchObject({ table: 'x', draft: { column: 'real', refTable: 'c', refColumn: 'c1' } })
})

it('a form of what the instance knew already stays the same form', async () => {
  sent.mockResolvedValue(accepted('v2'))
  const outcome = edit([{ op: 'add_column', table: { id: 'x' }, column: { name: 'place', dataType: 'INTEGER' } }])
  const form = { kind: 'table', table: 'x' } as const
  store.set({ form })
  await outcome
  const tables = [...shop().tables.values()].map((t) => (t.id === 'x' ? { ...t, columns: [...t.columns, column('real', 'place')] } : t))
  confirm(fromSnapshot(snapshot(tables, 'v2', 2), store.get().confirmed), 'v2')
  expect(store.get().named.size).toBe(1)
  expect(store.get().form).toBe(form)
})

it('a selection follows a new table to the id that the instance gives it', async () => {
  sent.mockResolvedValue(accepted('v2'))
  const outcome = edit([{ op: 'add_table', table: { name: 'Line' } }])
  const invented = [...(store.get().design?.tables.keys() ?? [])].find((id) => id.startsWith('new:')) ?? ''
  store.set({ selected: new Set([invented]) })
  await outcome
  confirm(fromSnapshot(snapshot([...shop().tables.values(), table('real', 'Line', [])], 'v2', 2), store.get().confirmed), 'v2')
  expect([...store.get().selected]).toEqual(['real'])
})
