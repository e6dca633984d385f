import { describe, expect, it } from 'vitest'
import { column, design, table } from '../test/designs'
import { treeOf } from '../panels/changes/tree'
import { stepOf } from './keys'
import { entriesOf, rowsOf, type Asked, type Row } from './rows'

const shop = design(
  table('o', 'orders', [column('o1', 'id'), column('o2', 'customer_mail')]),
  table('l2', 'line2', [column('x', 'id')]),
  table('l10', 'line10', [column('y', 'id')]),
  table('c', 'customer', [column('c1', 'id'), column('c2', 'mail')], { schema: 'crm' }),
)

const changes = treeOf(
  [
    { kind: 'add_table', table: { schema: 'main', name: 'line2' } },
    { kind: 'drop_table', table: { schema: 'crm', name: 'lead' } },
    { kind: 'alter_column', table: { schema: 'crm', name: 'customer' }, name: 'mail' },
  ],
  'main',
).tables

const everything: Asked = { text: '', changed: false, closed: new Set() }

const list = (asked: Partial<Asked> = {}): string[] =>
  rowsOf(entriesOf(shop, changes), { ...everything, ...asked }).rows.map((r) => (r.kind === 'schema' ? `${r.name} ${r.tables}` : [r.entry.name, ...r.hits].join(' ')))

describe('the outline', () => {
  it('lists tables by schema, the default one first, numbers as numbers', () => {
    expect(list()).toEqual(['main 3', 'line2', 'line10', 'orders', 'crm 2', 'customer', 'lead'])
  })

  it('says how each differs from the database', () => {
    const said = entriesOf(shop, changes).map((e) => [e.name, e.tone, e.change])
    expect(said).toContainEqual(['line2', 'add', 'new table'])
    expect(said).toContainEqual(['customer', 'change', 'changed: 1 column'])
    expect(said).toContainEqual(['lead', 'drop', 'dropped'])
    expect(said).toContainEqual(['orders', null, ''])
  })

  it('finds tables by their own names, with their schemas, and by their columns', () => {
    expect(list({ text: 'LINE' })).toEqual(['main 2', 'line2', 'line10'])
    expect(list({ text: 'crm.c' })).toEqual(['crm 1', 'customer'])
    expect(list({ text: 'mail' })).toEqual(['main 1', 'orders customer_mail', 'crm 1', 'customer mail'])
    expect(rowsOf(entriesOf(shop, changes), { ...everything, text: 'mail' }).found).toBe(2)
    expect(list({ text: 'nothing' })).toEqual([])
  })

  it('names the first of many columns', () => {
    const wide = design(table('w', 'wide', ['a', 'b', 'c', 'd', 'e'].map((n) => column(n, `mail_${n}`))))
    const [, row] = rowsOf(entriesOf(wide, []), { ...everything, text: 'mail' }).rows
    expect(row).toMatchObject({ hits: ['mail_a', 'mail_b', 'mail_c', 'mail_d', '…'] })
  })

  it('shows what has changed alone', () => {
    expect(list({ changed: true })).toEqual(['main 1', 'line2', 'crm 2', 'customer', 'lead'])
  })

  it('closes schemas, but not before what is searched for', () => {
    const closed = new Set(['main'])
    expect(list({ closed })).toEqual(['main 3', 'crm 2', 'customer', 'lead'])
    expect(list({ closed, text: 'orders' })).toEqual(['main 1', 'orders'])
  })

  it('says where each row stands among its siblings', () => {
    const { rows } = rowsOf(entriesOf(shop, changes), { ...everything, closed: new Set(['main']) })
    expect(rows.map((r) => [r.place.level, r.place.index, r.place.of])).toEqual([[1, 1, 2], [1, 2, 2], [2, 1, 2], [2, 2, 2]])
  })
})

describe('the keys of the tree', () => {
  const { rows } = rowsOf(entriesOf(shop, changes), everything)
  const closed = rowsOf(entriesOf(shop, changes), { ...everything, closed: new Set(['main']) }).rows
  const go = (key: string, at: number, of: readonly Row[] = rows) => stepOf(key, of, at, 3)

  it('go up and down and stop at the ends', () => {
    expect(go('ArrowDown', 0)).toEqual({ to: 1 })
    expect(go('ArrowUp', 0)).toEqual({ to: 0 })
    expect(go('PageDown', 5)).toEqual({ to: rows.length - 1 })
    expect(go('Home', 5)).toEqual({ to: 0 })
    expect(go('End', 0)).toEqual({ to: rows.length - 1 })
  })

  it('open and close schemas, and lead to a table’s own', () => {
    expect(go('ArrowRight', 0, closed)).toEqual({ schema: 'main', open: true })
    expect(go('ArrowRight', 0)).toEqual({ to: 1 })
    expect(go('ArrowLeft', 0)).toEqual({ schema: 'main', open: false })
    expect(go('ArrowLeft', 6)).toEqual({ to: 4 })
    expect(go('ArrowRight', 1)).toBeNull()
    expect(go('x', 1)).toBeNull()
  })
})
