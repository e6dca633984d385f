import { describe, expect, it } from 'vitest'
import type { DiffItem } from '../lib/api'
import { summaryOf, textOf, treeOf } from './tree'

const at = (name: string, schema = 'public') => ({ schema, name })

const changes: DiffItem[] = [
  { kind: 'add_schema', table: { schema: '', name: '' }, name: 'audit' },
  { kind: 'drop_table', table: at('Old') },
  { kind: 'add_table', table: at('Old') },
  { kind: 'add_table', table: at('Log', 'audit') },
  { kind: 'rename_table', table: at('Client'), was: 'Customer' },
  { kind: 'add_column', table: at('Client'), name: 'Fax' },
  { kind: 'drop_column', table: at('Client'), name: 'Telex' },
  { kind: 'add_index', table: at('Client'), name: 'IX' },
]

describe('the tree of changes', () => {
  const tree = treeOf(changes, 'public')

  it('groups by table: what goes, what comes, what changes', () => {
    expect(tree.schemas).toEqual(['audit'])
    expect(tree.tables.map((t) => [t.tone, t.title])).toEqual([
      ['drop', 'Old'],
      ['add', 'audit.Log'],
      ['add', 'Old'],
      ['change', 'Client'],
    ])
  })

  it('keeps a table that is dropped apart from a new one of its name', () => {
    expect(new Set(tree.tables.map((t) => t.key)).size).toBe(tree.tables.length)
  })

  it('counts what changes of a table', () => {
    const client = tree.tables.find((t) => t.title === 'Client')
    expect(client && summaryOf(client)).toBe('1 table, 2 columns, 1 index')
  })

  it('says the same as text', () => {
    expect(textOf(tree)).toBe(
      ['+ schema audit', '− table Old', '+ table audit.Log', '+ table Old', '~ table Client', '    ~ rename from Customer', '    + add column Fax', '    − drop column Telex', '    + add index IX'].join('\n'),
    )
  })
})
