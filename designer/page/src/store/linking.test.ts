import { describe, expect, it } from 'vitest'
import { column, design, table } from '../test/designs'
import { applyEdits } from './apply'
import { findTable, type Design } from './design'
import { linkOf, type Link } from './linking'

const tables = () => design(table('b', 'boats', [column('b1', 'id', { dataType: 'bigint', isIdentity: true })]), table('o', 'owners', [column('o1', 'owner_code', { dataType: 'varchar', maxLength: '8' })]))

const link = (d: Design, a: string, b: string): Link => {
  const [one, other] = [d.tables.get(a), d.tables.get(b)]
  const got = one && other ? linkOf(d, one, other) : ''
  if (typeof got === 'string') throw new Error(got)
  return got
}

describe('a many-to-many relation', () => {
  it('is a table of both keys, which refers to both tables', () => {
    const { name, edits } = link(tables(), 'b', 'o')
    expect(name).toBe('boats_owners')
    expect(edits).toEqual([
      {
        op: 'add_table',
        table: { schema: 'main', name: 'boats_owners' },
        initialColumns: [
          { name: 'boat_id', dataType: 'bigint', isPrimaryKey: true },
          { name: 'owner_code', dataType: 'varchar', maxLength: '8', isPrimaryKey: true },
        ],
      },
      { op: 'add_foreign_key', table: { schema: 'main', name: 'boats_owners' }, foreignKey: { referencedTable: { id: 'b', schema: 'main', name: 'boats' }, mappings: [{ column: 'boat_id', referencedColumn: 'id' }], onDeleteAction: 'cascade' } },
      { op: 'add_foreign_key', table: { schema: 'main', name: 'boats_owners' }, foreignKey: { referencedTable: { id: 'o', schema: 'main', name: 'owners' }, mappings: [{ column: 'owner_code', referencedColumn: 'owner_code' }], onDeleteAction: 'cascade' } },
    ])
    const after = applyEdits(tables(), edits, new Map())
    expect(findTable(after, 'main', 'boats_owners')?.foreignKeys?.map((k) => k.refTable)).toEqual(['b', 'o'])
    expect(link(after, 'b', 'o').name).toBe('boats_owners2')
  })

  it('of a table with itself has two columns', () => {
    const got = link(tables(), 'b', 'b')
    expect(got.edits[0]).toMatchObject({ initialColumns: [{ name: 'boat_id' }, { name: 'boat_id2' }] })
  })

  it('is written as the tables are', () => {
    const d = design(table('b', 'Boats', [column('b1', 'Id')]), table('o', 'Owners', [column('o1', 'Id')]))
    expect(link(d, 'b', 'o')).toMatchObject({ name: 'BoatsOwners', edits: [{ initialColumns: [{ name: 'BoatId' }, { name: 'OwnerId' }] }, {}, {}] })
  })

  it('needs two keys', () => {
    const d = design(table('b', 'boats', [column('b1', 'id')]), table('l', 'log', [column('l1', 'line')], { primaryKey: { columns: [] } }))
    const [boats, log] = [d.tables.get('b'), d.tables.get('l')]
    expect(boats && log && linkOf(d, boats, log)).toBe('log has no primary key, which the rows of a table between the two would refer to.')
  })
})
