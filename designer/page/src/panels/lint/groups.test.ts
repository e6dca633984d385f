import { describe, expect, it } from 'vitest'
import type { Finding } from '../../api/lint'
import { flaggedIn } from '../../store/lint'
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
    expect(settling(index)).toBe('Add the index')
    expect(settling({ ...index, edits: [{ op: 'later' }] })).toBe('Settle it')
  })
  it('mark tables, but for matters of taste', () => {
    const flagged = flaggedIn({ version: 'v', dialect: 'postgres', findings: [missing, index, taste] })
    expect(flagged.get('t1')).toEqual([missing])
    expect(flagged.get('t2')).toEqual([index])
  })
})
