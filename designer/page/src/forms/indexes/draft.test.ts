import { describe, expect, it } from 'vitest'
import type { Edit } from '../../api/edits'
import type { Index } from '../../api/types'
import { applyEdits } from '../../store/apply'
import { column, design, table } from '../../test/designs'
import { fieldsOf, indexEdits, isWhole, withMethod, type Fields, type Part } from './draft'
import { noExpressions, takes } from './methods'
import { wordsOf } from './words'

const rich: Index = {
  id: 'x', name: 'ix', unique: true, where: 'a > 0', include: ['c3'],
  parts: [{ expression: 'lower(a)', descending: true, nulls: 'last', opClass: 'text_pattern_ops', collation: 'C' }, { column: 'c2', length: 10 }],
}
const person = table('p', 'person', [column('c1', 'a'), column('c2', 'b'), column('c3', 'c')], { indexes: [rich] })
const before = fieldsOf(rich, 'btree')
const edits = (change: Partial<Fields>, id: string | null = 'x', from = before) => indexEdits(person, id, from, { ...from, ...change })
const blank = fieldsOf(null, 'btree')
const part = (more: Partial<Part>): Part => ({ isExpression: false, column: '', expression: '', descending: false, nulls: '', opClass: '', collation: '', length: '', ...more })
const set = (spec: object): Edit[] => [{ op: 'set_index', table: { id: 'p' }, index: { id: 'x' }, set: spec }]

describe('the form of an index', () => {
  it('changes nothing of one that was only opened', () => {
    expect(edits({})).toEqual([])
    expect(edits({ name: '' })).toEqual([]) // which means: as it is
  })

  it('says only what was changed', () => {
    expect(edits({ name: ' other ' })).toEqual(set({ name: 'other' }))
    expect(edits({ where: '', unique: false })).toEqual(set({ unique: false, where: '' }))
    expect(edits({ include: [] })).toEqual(set({ include: [] }))
  })

  it('writes all keys with what they have where one of them changes', () => {
    const [first, second] = before.parts as [Part, Part]
    expect(edits({ parts: [second, first] })).toEqual(
      set({ columns: [{ name: 'b', length: 10 }, { expression: 'lower(a)', descending: true, nulls: 'last', opClass: 'text_pattern_ops', collation: 'C' }] }),
    )
    expect(edits({ parts: [{ ...first, nulls: '', opClass: '', collation: '' }] })).toEqual(
      set({ columns: [{ expression: 'lower(a)', descending: true, nulls: '', opClass: '', collation: '' }] }),
    )
  })

  it('makes one of an expression', () => {
    const parts = [part({ isExpression: true, expression: ' upper(b) ' }), part({ column: 'c1', descending: true }), part({})]
    expect(edits({ parts, method: 'btree' }, null, blank)).toEqual([
      { op: 'add_index', table: { id: 'p' }, index: { columns: [{ expression: 'upper(b)' }, { name: 'a', descending: true }] } },
    ])
    expect(isWhole(person, { ...blank, parts })).toBe(true)
    expect(isWhole(person, { ...blank, parts: [part({ isExpression: true }), ...parts] })).toBe(false)
    expect(isWhole(person, blank)).toBe(false)
  })

  it('leaves operator classes to the method that they are of', () => {
    const gin = { ...before, ...withMethod(before, before, 'gin') }
    expect(gin.parts.map((p) => p.opClass)).toEqual(['', ''])
    expect({ ...gin, ...withMethod(before, gin, 'btree') }).toEqual(before)
  })

  it('shows the whole of one in words', () => {
    expect(wordsOf(person, { ...rich, method: 'gist' })).toBe('unique on lower(a) collate C text_pattern_ops desc nulls last, b(10) using gist including c where a > 0')
  })

  it('shows it at once as it will be', () => {
    const [first, second] = before.parts as [Part, Part]
    const after = applyEdits(design(person), edits({ parts: [second, first], name: 'other' }), new Map()).tables.get('p')?.indexes?.[0]
    expect(after && fieldsOf(after, 'btree')).toEqual({ ...before, name: 'other', parts: [second, first] })
    const bare = applyEdits(design(person), set({ columns: [{ expression: 'lower(a)' }] }), new Map()).tables.get('p')?.indexes?.[0]
    expect(bare?.parts).toEqual([{ expression: 'lower(a)', descending: false, opClass: 'text_pattern_ops', collation: 'C' }])
  })
})

describe('the methods of an index', () => {
  const btree = { name: 'btree', has: ['expression' as const, 'nulls' as const] }
  const text = { name: 'fulltext', has: ['columns' as const] }
  it('say what it can have, but for those that edits do not give', () => {
    expect([takes([btree], 'btree', 'nulls'), takes([btree], 'btree', 'include'), takes([btree], 'rum', 'include')]).toEqual([true, false, true])
  })
  it('say why an expression is none of it', () => {
    expect(noExpressions([btree, text], 'btree', 'MySQL')).toBe('')
    expect(noExpressions([btree, text], 'fulltext', 'MySQL')).toContain('choose btree')
    expect(noExpressions([text], 'fulltext', 'SQL Server')).toContain('SQL Server indexes columns only')
  })
})
