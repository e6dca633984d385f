import { describe, expect, it } from 'vitest'
import type { Finding } from '../../api/lint'
import { flaggedIn, unindexed } from '../../store/lint'
import { column, key, table } from '../../test/designs'
import { groupsOf, placeOf, settling } from './groups'

const missing: Finding = { rule: 'no-primary-key', severity: 'warning', tableId: 't1', schema: 'public', table: 'log', message: 'it has none' }
const index: Finding = { rule: 'unindexed-foreign-key', severity: 'warning', tableId: 't2', schema: 'shop', table: 'line', column: 'item_id', message: 'no index', edits: [{ op: 'add_index' }] }
const taste: Finding = { rule: 'plural', severity: 'info', tableId: 't1', schema: 'public', table: 'log', message: 'one is not like the others' }

describe('findings', () => {
  it('are grouped by rule, in the order of the report', () => {
    expect(groupsOf([missing, index, { ...missing, table: 'tag' }]).map((g) => [g.rule, g.findings.length])).toEqual([
      ['no-primary-key', 2],
      ['unindexed-foreign-key', 1],
    ])
  })
  it('name their place, with a schema that is not the default one', () => {
    expect(placeOf(missing, 'public')).toBe('log')
    expect(placeOf(index, 'public')).toBe('shop.line.item_id')
    expect(placeOf({ rule: 'unused-type', severity: 'info', object: 'mood', message: '' }, 'public')).toBe('mood')
  })
  it('say what settles them', () => {
    expect(settling(missing)).toBe('')
    expect(settling(index)).toBe('Add index')
    expect(settling({ ...index, edits: [{ op: 'drop_foreign_key' }, { op: 'set_column' }, { op: 'add_foreign_key' }] })).toBe('Change column')
    expect(settling({ ...index, edits: [{ op: 'later' }] })).toBe('Settle it')
  })
  it('mark tables, but for matters of taste', () => {
    const flagged = flaggedIn({ version: 'v', dialect: 'postgres', findings: [missing, index, taste] })
    expect(flagged.get('t1')).toEqual([missing])
    expect(flagged.get('t2')).toEqual([index])
  })
  it('are told at the relation that they are about', () => {
    const line = table('t2', 'line', [column('c1', 'id'), column('c2', 'item_id'), column('c3', 'other_id')])
    const [named, other] = [key('k', 'c2', 't1', 'x'), key('l', 'c3', 't1', 'x')] as const
    const without = <T extends object>(of: T, member: keyof T): T => Object.fromEntries(Object.entries(of).filter(([name]) => name !== member)) as T
    const [unnamed, unnamedOther] = [without(named, 'name'), without(other, 'name')]
    const ofNamed = { ...index, object: 'FK_k' }
    expect(unindexed([missing, ofNamed], line, named)).toBe(ofNamed)
    expect(unindexed([ofNamed], line, other)).toBeUndefined()
    expect(unindexed([index], line, unnamed)).toBe(index)
    expect(unindexed([index], line, unnamedOther)).toBeUndefined()
    const several = without(index, 'column')
    expect(unindexed([several], line, { ...unnamed, mappings: [...unnamed.mappings, ...unnamedOther.mappings] })).toBe(several)
    expect(unindexed([several], line, unnamed)).toBeUndefined()
    expect(unindexed(undefined, line, named)).toBeUndefined()
  })
})
