import { describe, expect, it } from 'vitest'
import type { Edit } from '../api/edits'
import { column, design, key, table } from '../test/designs'
import { applyEdits } from './apply'
import { columnByName, findTable, typeOf } from './design'
import { alsoChanged, withRelated } from './retype'

const harbour = (more = {}) =>
  design(
    table('b', 'boats', [column('b1', 'id'), column('b2', 'name')]),
    table('s', 'slips', [column('s1', 'boat'), column('s2', 'pier')], { foreignKeys: [{ ...key('slips', 's1', 'b', 'b1'), ...more }] }),
    table('c', 'calls', [column('c1', 'id'), column('c2', 'slip')], { foreignKeys: [key('calls', 'c2', 's', 's1')] }),
  )
const bigint: Edit = { op: 'set_column', table: { name: 'boats' }, column: { name: 'id' }, set: { dataType: 'bigint' } }

describe('another type of a column', () => {
  it('goes to what refers to it, and to what refers to that', () => {
    const { edits, also } = withRelated(harbour(), [bigint])
    expect(also).toEqual(['slips.boat', 'calls.slip'])
    expect(edits.map((e) => e.op)).toEqual(['drop_foreign_key', 'drop_foreign_key', 'set_column', 'set_column', 'set_column', 'add_foreign_key', 'add_foreign_key'])
    const after = applyEdits(harbour(), edits, new Map())
    const typeAt = (t: string, c: string) => typeOf(columnByName(findTable(after, 'main', t) ?? table('', '', []), c) ?? column('', ''))
    expect([typeAt('boats', 'id'), typeAt('slips', 'boat'), typeAt('calls', 'slip'), typeAt('slips', 'pier')]).toEqual(['bigint', 'bigint', 'bigint', 'int'])
    expect(findTable(after, 'main', 'calls')?.foreignKeys?.map((k) => [k.name, k.refTable])).toEqual([['FK_calls', 's']])
  })

  it('goes from a foreign key to what it refers to', () => {
    expect(withRelated(harbour(), [{ ...bigint, table: { id: 'c' }, column: { id: 'c2' } }]).also).toEqual(['slips.boat', 'boats.id'])
  })

  it('follows a column that gets another name with it', () => {
    const { edits } = withRelated(harbour(), [{ ...bigint, set: { dataType: 'bigint', name: 'key' } }])
    expect(edits.flatMap((e) => (e.op === 'add_foreign_key' ? e.foreignKey.mappings : []))).toEqual([
      { column: 'boat', referencedColumn: 'key' },
      { column: 'slip', referencedColumn: 'boat' },
    ])
  })

  it('is one edit where nothing is related, where it is no type or the one that is there, and where a key says more than edits can', () => {
    for (const [d, e] of [
      [harbour(), { ...bigint, column: { name: 'name' } }],
      [harbour(), { ...bigint, set: { name: 'key' } }],
      [harbour(), { ...bigint, set: { dataType: 'int' } }],
      [harbour({ deferrable: 'initially deferred' }), bigint],
    ] as [ReturnType<typeof harbour>, Edit][]) expect(withRelated(d, [e])).toEqual({ edits: [e], also: [] })
  })

  it('goes over no key that is dropped with it', () => {
    const id = harbour().tables.get('s')?.foreignKeys?.[0]?.id ?? ''
    const edits: Edit[] = [{ op: 'drop_foreign_key', table: { name: 'slips' }, foreignKey: { id } }, bigint]
    expect(withRelated(harbour(), edits)).toEqual({ edits, also: [] })
  })

  it('is said', () => {
    expect(alsoChanged(['a.x'])).toBe('Changed with it: a.x, which foreign keys relate to it.')
    expect(alsoChanged(['a.x', 'b.x', 'c.x', 'd.x', 'e.x'])).toBe('Changed with it: a.x, b.x, c.x and 2 more, which foreign keys relate to it.')
  })
})
