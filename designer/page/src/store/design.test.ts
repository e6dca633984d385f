import { describe, expect, it } from 'vitest'
import { column, shop, snapshot, table } from '../test/designs'
import { applyEvent, findTable, fromSnapshot } from './design'

describe('a snapshot', () => {
  it('keeps the tables that have not changed as the objects they were', () => {
    const before = shop()
    const tables = structuredClone([...before.tables.values()])
    const changed = tables.map((t) => (t.id === 'x' ? { ...t, name: 'Journal' } : t))
    const after = fromSnapshot(snapshot(changed, 'v2', 2), before)
    expect(after.tables.get('c')).toBe(before.tables.get('c'))
    expect(after.tables.get('x')).not.toBe(before.tables.get('x'))
  })

  it('of another connection shares nothing', () => {
    const before = shop()
    const other = { ...snapshot(structuredClone([...before.tables.values()])), connection: 'other' }
    expect(fromSnapshot(other, before).tables.get('c')).not.toBe(before.tables.get('c'))
  })
})

describe('an event', () => {
  const event = { seq: 2, type: 'committed' as const, connectionId: 'main', previous: 'v1', version: 'v2', sync: 'proposed' as const, undoSteps: 1 }

  it('that follows on puts its tables in and takes dropped ones out', () => {
    const after = applyEvent(shop(), { ...event, tables: [table('n', 'New', [column('n1', 'Id')])], dropped: ['x'], changes: {} })
    expect([...(after?.tables.keys() ?? [])]).toEqual(['c', 'o', 'n'])
    expect(after).toMatchObject({ version: 'v2', seq: 2, sync: 'proposed', undoSteps: 1 })
  })

  it('touches no other table', () => {
    const before = shop()
    const after = applyEvent(before, { ...event, tables: [table('x', 'Journal', [column('x1', 'Id')])] })
    expect(after?.tables.get('o')).toBe(before.tables.get('o'))
  })

  it('keeps the columns that have not changed as the objects they were', () => {
    const before = shop()
    const changed = table('c', 'Customer', [column('c1', 'Id'), column('c2', 'EMail')])
    const after = applyEvent(before, { ...event, tables: [changed] })?.tables.get('c')
    expect(after).toEqual(changed)
    expect(after?.columns[0]).toBe(before.tables.get('c')?.columns[0])
    expect(after?.columns[1]).not.toBe(before.tables.get('c')?.columns[1])
  })

  it('after a gap asks for a snapshot', () => {
    expect(applyEvent(shop(), { ...event, previous: 'v0', tables: [] })).toBeNull()
  })

  it('that does not carry its tables asks for a snapshot', () => {
    expect(applyEvent(shop(), { ...event, changes: { tablesAdded: [{ name: 'A' }] } })).toBeNull()
    expect(applyEvent(shop(), { seq: 2, type: 'reset' })).toBeNull()
  })

  it('seen before changes nothing', () => {
    const before = shop()
    expect(applyEvent(before, { ...event, seq: 1 })).toBe(before)
  })
})

it('a table is found by name in any case, in the default schema where none is named', () => {
  expect(findTable(shop(), '', 'CUSTOMER')?.id).toBe('c')
  expect(findTable(shop(), 'dbo', 'Customer')).toBeUndefined()
})
