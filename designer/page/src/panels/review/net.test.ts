import { describe, expect, it } from 'vitest'
import type { Column, Table } from '../../api/types'
import { partsOf, typeParts, typeText } from './net'

const column = (id: string, dataType: string, more: Partial<Column> = {}): Column => ({ id, name: id, dataType, ...more })
const table = (columns: Column[], more: Partial<Table> = {}): Table => ({ id: 't', schema: 'main', name: 'album', columns, ...more })
const parts = (before?: Table, after?: Table) =>
  partsOf('t', before, after, () => 'other', () => 'id').map((p) => [p.key, p.tone, p.name, p.fields.map((f) => `${f.name}: ${f.before} → ${f.after}`)])

describe('the net change of a table', () => {
  it('has each field before and after', () => {
    const before = table([column('a', 'varchar', { maxLength: '220' }), column('b', 'int')])
    const after = table([column('a', 'text', { isNullable: true }), column('c', 'int')], { comment: 'x' })
    expect(parts(before, after)).toEqual([
      ['t//comment', 'change', '', ['comment: none → x']],
      ['t/b', 'drop', 'b', [': int not null → ']],
      ['t/a', 'change', 'a', ['type: varchar(220) → text', 'nullability: not null → nullable']],
      ['t/c', 'add', 'c', [':  → int not null']],
    ])
  })
  it('is one thing for a table that came or went', () => {
    expect(parts(undefined, table([column('a', 'int')]))).toEqual([['t', 'add', 'album', []]])
    expect(parts(table([]), undefined)).toEqual([['t', 'drop', 'album', []]])
  })
  it('has an index as a whole', () => {
    const index = (unique: boolean) => table([column('a', 'int')], { indexes: [{ id: 'x', name: 'IX', unique, parts: [{ column: 'a' }] }] })
    expect(parts(index(false), index(true))).toEqual([['t/x', 'change', 'IX', [': (a) → unique (a)']]])
  })
})

describe('an index, key or check that differs in what is rarely set', () => {
  const base = table([column('a', 'int'), column('b', 'int')], {
    primaryKey: { columns: ['a'] },
    indexes: [{ id: 'x', name: 'IX', parts: [{ column: 'a' }] }],
    foreignKeys: [{ id: 'k', name: 'FK', refTable: 't', mappings: [{ column: 'a', refColumn: 'b' }], onDelete: 'no_action', onUpdate: 'no_action' }],
    checks: [{ id: 'c', name: 'CK', expression: 'a > 0' }],
  })
  const index = (more: object): Table => ({ ...base, indexes: base.indexes?.map((x) => ({ ...x, ...more })) ?? [] })
  it.each<[string, Table, string[]]>([
    ['include', index({ include: ['b'] }), [': (a) → (a) include (b)']],
    ['method', index({ method: 'hash' }), [': (a) → (a) using hash']],
    ['nulls', index({ parts: [{ column: 'a', nulls: 'first', collation: 'C', opClass: 'int4_ops', length: 8 }] }), [': (a) → (a(8) collate C int4_ops nulls first)']],
    ['constraint', index({ constraint: true, unique: true }), [': (a) → unique constraint (a)']],
    ['options', index({ options: { fillfactor: '70' } }), [': (a) → (a) with fillfactor=70']],
    ['deferrable', { ...base, foreignKeys: base.foreignKeys?.map((k) => ({ ...k, deferrable: 'deferrable' })) ?? [] }, [': (a) → other (b) → (a) → other (b) deferrable']],
    ['check options', { ...base, checks: base.checks?.map((k) => ({ ...k, options: { noInherit: 'true' } })) ?? [] }, [': a > 0 → a > 0 with noInherit=true']],
    ['key options', { ...base, primaryKey: { columns: ['a'], options: { clustered: 'false' } } }, ['primary key: (a) → (a) with clustered=false']],
  ])('says so: %s', (_, after, want) => {
    expect(parts(base, after).flatMap((p) => p[3])).toEqual(want)
  })
})

describe('the net change of a type', () => {
  const rig = { schema: 'main', name: 'rig', values: [{ name: 'sloop' }, { name: 'yawl' }] }
  it('has what differs, settled as a whole', () => {
    const parts = typeParts(rig, { ...rig, name: 'rigging', values: [{ name: 'sloop' }], comment: 'of boats' })
    expect(parts.map((p) => [p.key, ...p.fields.map((f) => `${f.key}${f.name}: ${f.before} → ${f.after}`)])).toEqual([
      ['', 'name: rig → rigging'],
      ['', 'values: sloop, yawl → sloop'],
      ['', 'comment: none → of boats'],
    ])
  })
  it('writes a domain as it is defined', () => {
    const domain = { base: 'numeric(5,2)', notNull: true, default: '0', checks: [{ name: 'c', expression: 'VALUE >= 0' }] }
    expect(typeText({ schema: 'main', name: 'percent', domain })).toBe('numeric(5,2) not null default 0 check VALUE >= 0')
  })
})
