import { describe, expect, it } from 'vitest'
import { column, design, key, shop, table } from '../test/designs'
import { applyEdits } from './apply'
import { copied, editsOf } from './copying'
import { findTable } from './design'
import { pasted, read } from './pasting'

const harbour = () =>
  design(
    table('b', 'boats', [column('b1', 'id', { isIdentity: true }), column('b2', 'name', { dataType: 'varchar', maxLength: '80', comment: 'as painted' }), column('b3', 'crew', { isNullable: true })], {
      comment: 'what lies here',
      indexes: [{ id: 'x', name: 'IX_boats_name', unique: true, parts: [{ column: 'b2', descending: true }], where: 'crew > 0', include: ['b3'] }],
      checks: [{ id: 'k', name: 'CK_boats_1', expression: 'crew >= 0' }],
    }),
    table('s', 'slips', [column('s1', 'id'), column('s2', 'boat')], { foreignKeys: [key('slips', 's2', 'b', 'b1')] }),
  )

describe('what is copied', () => {
  it('makes the tables again, with their parts', () => {
    expect(editsOf(harbour(), ['b'])).toEqual([
      {
        op: 'add_table',
        table: { schema: 'main', name: 'boats' },
        comment: 'what lies here',
        initialColumns: [
          { name: 'id', dataType: 'int', isPrimaryKey: true, isIdentity: true },
          { name: 'name', dataType: 'varchar', maxLength: '80', comment: 'as painted', isNullable: false },
          { name: 'crew', dataType: 'int', isNullable: true },
        ],
      },
      { op: 'add_index', table: { schema: 'main', name: 'boats' }, index: { name: 'IX_boats_name', unique: true, columns: [{ name: 'name', descending: true }], where: 'crew > 0', include: ['crew'] } },
      { op: 'add_check', table: { schema: 'main', name: 'boats' }, check: { name: 'CK_boats_1', expression: 'crew >= 0' } },
    ])
  })

  it('is a text that only a design is read from', () => {
    expect(read(copied(harbour(), ['b']))?.edits).toEqual(editsOf(harbour(), ['b']))
    for (const text of ['', 'CREATE TABLE t (id int)', '{"a":1}', '{"berth":"tables"}', '{ broken', 'null']) expect(read(text)).toBeNull()
  })
})

describe('what is pasted', () => {
  it('has names that are free, also those of its parts', () => {
    const once = pasted(harbour(), editsOf(harbour(), ['b', 's']))
    expect(once.tables).toEqual([{ schema: 'main', name: 'boats_copy' }, { schema: 'main', name: 'slips_copy' }])
    expect(once.leftOut).toEqual([])
    expect(once.edits.map((e) => (e.op === 'add_index' ? e.index.name : e.op === 'add_check' ? e.check.name : e.op === 'add_foreign_key' ? `${e.foreignKey.name ?? ''} to ${e.foreignKey.referencedTable?.name ?? ''}` : e.op))).toEqual([
      'add_table', 'IX_boats_copy_name', 'CK_boats_copy_1', 'add_table', 'FK_slips_copy to boats_copy',
    ])
    const after = applyEdits(harbour(), once.edits, new Map())
    expect(pasted(after, editsOf(harbour(), ['b'])).tables).toEqual([{ schema: 'main', name: 'boats_copy2' }])
  })

  it('refers to the table that is there if its own is not among it', () => {
    const { edits } = pasted(harbour(), editsOf(harbour(), ['s']))
    expect(edits.find((e) => e.op === 'add_foreign_key')?.foreignKey.referencedTable).toEqual({ schema: 'main', name: 'boats' })
  })

  it('lacks a foreign key whose table is nowhere, and says so', () => {
    const other = pasted(shop(), editsOf(harbour(), ['s']))
    expect(other.leftOut).toEqual(['slips → main.boats'])
    expect(other.edits.map((e) => e.op)).toEqual(['add_table'])
    expect(findTable(applyEdits(shop(), other.edits, new Map()), 'main', 'slips')?.columns.map((c) => c.name)).toEqual(['id', 'boat'])
  })

  it('lies in the default schema where the design has not its own', () => {
    const elsewhere = { ...shop(), defaultSchema: 'public', schemas: ['public'] }
    expect(pasted(elsewhere, editsOf(harbour(), ['b'])).tables).toEqual([{ schema: 'public', name: 'boats' }])
  })
})
