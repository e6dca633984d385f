import { describe, expect, it } from 'vitest'
import type { Edit } from '../api/edits'
import { shop } from '../test/designs'
import { applyEdits, isInvented } from './apply'
import { clash } from './conflict'
import { findTable } from './design'

const apply = (...edits: Edit[]) => applyEdits(shop(), edits, new Map())

describe('an edit on its way is shown', () => {
  it('as a new table with its key', () => {
    const made = findTable(apply({ op: 'add_table', table: { name: 'Line' }, initialColumns: [{ name: 'Id', dataType: 'int', isPrimaryKey: true }] }), '', 'Line')
    expect(made && isInvented(made.id)).toBe(true)
    expect(made?.primaryKey?.columns).toEqual([made?.columns[0]?.id])
    expect(made?.columns[0]?.isNullable).toBe(false)
  })

  it('under the same invented id each time', () => {
    const ids = new Map<string, string>()
    const edits: Edit[] = [{ op: 'add_table', table: { name: 'Line' } }]
    expect([...applyEdits(shop(), edits, ids).tables.keys()]).toEqual([...applyEdits(shop(), edits, ids).tables.keys()])
  })

  it('not twice where its event came before its reply', () => {
    expect(apply({ op: 'add_table', table: { name: 'Log' } }).tables.size).toBe(3)
    const again = apply({ op: 'add_column', table: { id: 'c' }, column: { name: 'mail', dataType: 'text' } })
    expect(again.tables.get('c')?.columns).toHaveLength(2)
  })

  it('as a relation between columns', () => {
    const after = apply({
      op: 'add_foreign_key', table: { id: 'x' },
      foreignKey: { referencedTable: { id: 'c' }, mappings: [{ column: 'Id', referencedColumn: 'Id' }] },
    })
    expect(after.tables.get('x')?.foreignKeys?.[0]).toMatchObject({ refTable: 'c', mappings: [{ column: 'x1', refColumn: 'c1' }] })
  })

  it('as a dropped table, with the keys that pointed at it', () => {
    const after = apply({ op: 'drop_table', table: { id: 'c' } })
    expect(after.tables.has('c')).toBe(false)
    expect(after.tables.get('o')?.foreignKeys).toEqual([])
  })

  it('without touching tables it is not about', () => {
    const before = shop()
    const after = applyEdits(before, [{ op: 'set_table', table: { id: 'x' }, set: { name: 'Journal' } }], new Map())
    expect(after.tables.get('c')).toBe(before.tables.get('c'))
  })
})

describe('an edit made on an older design', () => {
  const rename: Edit = { op: 'set_column', table: { id: 'c' }, column: { id: 'c2' }, set: { name: 'Email' } }

  it('is made again where what it touches is unchanged', () => {
    const now = apply({ op: 'set_table', table: { id: 'c' }, set: { name: 'Client' } }, { op: 'drop_table', table: { id: 'x' } })
    expect(clash(rename, shop(), now)).toBeNull()
  })

  it('is made again where another setting of the same column has changed', () => {
    const now = apply({ op: 'set_column', table: { id: 'c' }, column: { id: 'c2' }, set: { isNullable: true } })
    expect(clash(rename, shop(), now)).toBeNull()
  })

  it('is refused where the same setting has changed', () => {
    const now = apply({ op: 'set_column', table: { id: 'c' }, column: { id: 'c2' }, set: { name: 'MailAddress' } })
    expect(clash(rename, shop(), now)).toEqual({ what: 'column Mail of main.Customer', theirs: 'name MailAddress, was Mail', mine: 'name Email', gone: false })
  })

  it('is refused where its table or column is gone', () => {
    expect(clash(rename, shop(), apply({ op: 'drop_table', table: { id: 'c' } }))).toEqual({ what: 'table main.Customer', theirs: 'dropped', mine: 'name Email', gone: true })
    expect(clash(rename, shop(), apply({ op: 'drop_column', table: { id: 'c' }, column: { id: 'c2' } }))).toEqual({ what: 'column Mail of main.Customer', theirs: 'dropped', mine: 'name Email', gone: true })
  })

  it('that drops a table is refused where anything of the table has changed', () => {
    const now = apply({ op: 'add_column', table: { id: 'x' }, column: { name: 'At', dataType: 'text' } })
    expect(clash({ op: 'drop_table', table: { id: 'x' } }, shop(), now)).toEqual({ what: 'table main.Log', theirs: 'columns changed', mine: 'dropped', gone: false })
    expect(clash({ op: 'drop_table', table: { id: 'c' } }, shop(), now)).toBeNull()
  })
})
