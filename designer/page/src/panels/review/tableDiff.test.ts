import { describe, expect, it } from 'vitest'
import type { Column, Table } from '../../api/types'
import { diffTables } from './tableDiff'

const id: Column = { id: '1', name: 'Id', dataType: 'INTEGER', isIdentity: true }
const email: Column = { id: '2', name: 'Email', dataType: 'NVARCHAR', maxLength: '60' }
const fax: Column = { id: '3', name: 'Fax', dataType: 'TEXT', isNullable: true }
const city: Column = { id: '4', name: 'City', dataType: 'TEXT', isNullable: true }

const before: Table = {
  id: 't',
  schema: 'main',
  name: 'Customer',
  columns: [id, email, fax, city],
  primaryKey: { columns: ['1'] },
}

const after: Table = {
  ...before,
  columns: [id, { ...email, name: 'Mail', maxLength: '120' }, city, { id: '5', name: 'Rep', dataType: 'INTEGER', isNullable: true, defaultValue: '1' }],
  foreignKeys: [{ id: 'k', name: 'FK_Rep', refTable: 'e', mappings: [{ column: '5', refColumn: '9' }], onDelete: 'set_null', onUpdate: 'no_action' }],
  indexes: [{ id: 'x', name: 'IX', unique: true, parts: [{ column: '2', descending: true }], where: 'Mail > 1' }],
}

const diff = (a?: Table, b?: Table) => diffTables(a, b, () => 'Employee', () => 'EmployeeId')

describe('a table before and after', () => {
  it('shows each part that differs, a rename as a rename', () => {
    const parts = diff(before, after)
    expect(parts.find((p) => p.name === 'Mail')).toEqual({ kind: 'column', state: 'changed', name: 'Mail', was: 'Email', before: 'NVARCHAR(60) not null', after: 'NVARCHAR(120) not null' })
    expect(parts.find((p) => p.name === 'Rep')).toEqual({ kind: 'column', state: 'added', name: 'Rep', after: 'INTEGER default 1' })
    expect(parts.find((p) => p.name === 'FK_Rep')?.after).toBe('(Rep) → Employee (EmployeeId) on delete set null')
    expect(parts.find((p) => p.name === 'IX')?.after).toBe('unique (Mail desc) where Mail > 1')
  })

  it('puts what was dropped where it stood', () => {
    const columns = diff(before, after).filter((p) => p.kind === 'column')
    expect(columns.map((p) => `${p.name} ${p.state}`)).toEqual(['Id same', 'Mail changed', 'Fax dropped', 'City same', 'Rep added'])
  })

  it('shows a new table as all new and a dropped one as all gone', () => {
    expect(new Set(diff(undefined, before).map((p) => p.state))).toEqual(new Set(['added']))
    expect(new Set(diff(before, undefined).map((p) => p.state))).toEqual(new Set(['dropped']))
  })

  it('tells a table that was renamed or moved', () => {
    expect(diff(before, { ...before, name: 'Client' })[0]).toEqual({ kind: 'table', state: 'changed', name: 'name', before: 'Customer', after: 'Client' })
    expect(diff(before, { ...before, schema: 'crm' })[0]).toEqual({ kind: 'table', state: 'changed', name: 'schema', before: 'main', after: 'crm' })
  })
})
