import { describe, expect, it } from 'vitest'
import type { Table } from '../../api/types'
import { requestOf, sourceOf } from './query'
import { brief, cutFrom, parseRows } from './rows'

const reply = (row: string): string => `{"columns":[{"name":"a \\"1\\"","type":"INTEGER"}],"rows":[[${row}]],"rowCount":1,"truncated":false,"elapsedMs":2}`
const cell = (text: string) => parseRows(reply(text)).rows[0]?.[0] ?? { kind: 'null' as const }

describe('a value', () => {
  it.each(['1.0', '1e300', '-5', '9007199254740991', '0.1', '12345678901234567890.123'])('%s keeps all its digits', (n) => {
    expect(cell(n)).toEqual({ kind: 'number', text: n })
  })

  it('that is a text with digits stays one', () => {
    expect(cell('"007 is \\"1.50\\""')).toEqual({ kind: 'text', text: '007 is "1.50"' })
    expect(parseRows(reply('1')).columns[0]?.name).toBe('a "1"')
  })

  it('that is NULL is told from the text', () => {
    expect(cell('null')).toEqual({ kind: 'null' })
    expect(cell('"NULL"')).toEqual({ kind: 'text', text: 'NULL' })
  })

  it('that is binary is shown in hex', () => {
    expect(brief(cell('{"$base64":"AP8Q"}'))).toEqual({ text: '0x00ff10', cut: false })
  })

  it('that was cut says so, and how long it is', () => {
    expect(cutFrom(cell('{"$text":"abc","$bytes":15000}'))).toBe(15000)
    expect(cutFrom(cell('{"$base64":"AP8Q","$bytes":2048}'))).toBe(2048)
    expect(cutFrom(cell('{"$base64":"AP8Q"}'))).toBeNull()
    expect(brief(cell(`"${'x'.repeat(200)}"`)).cut).toBe(true)
  })
})

const table: Table = {
  id: 't',
  schema: 'public',
  name: 'Client',
  columns: [
    { id: '1', name: 'No', dataType: 'int' },
    { id: '2', name: 'Name', dataType: 'text' },
  ],
  primaryKey: { columns: ['1'] },
}
const at = { schema: 'public', name: 'Client' }

describe('where rows are', () => {
  it('is what the database calls the table and its key', () => {
    const source = sourceOf(table, [
      { kind: 'rename_table', table: at, was: 'Customer' },
      { kind: 'rename_column', table: at, name: 'No', was: 'CustomerId' },
      { kind: 'rename_table', table: { schema: 'public', name: 'Other' }, was: 'X' },
    ])
    expect(source).toEqual({ table: { schema: 'public', name: 'Customer' }, order: ['CustomerId'] })
  })

  it('is nowhere for a table that is only proposed', () => {
    expect(sourceOf(table, [{ kind: 'add_table', table: at }])).toBeNull()
  })

  it('has no order where the key is only proposed', () => {
    expect(sourceOf(table, [{ kind: 'set_primary_key', table: at }])?.order).toEqual([])
    expect(sourceOf(table, [{ kind: 'add_column', table: at, name: 'No' }])?.order).toEqual([])
  })
})

describe('what is asked for', () => {
  const source = { table: { schema: 's', name: 't' }, order: ['a', 'b'] }

  it('is sorted by the key, and by the key behind what a person chose', () => {
    expect(requestOf(source, [], null, 51, 100)).toEqual({ table: source.table, filters: [], order: [{ column: 'a' }, { column: 'b' }], limit: 51, offset: 100 })
    expect(requestOf(source, [], { column: 'c', descending: true }, 51, 0).order).toEqual([{ column: 'c', descending: true }, { column: 'a' }, { column: 'b' }])
    expect(requestOf(source, [], { column: 'b' }, 51, 0).order).toEqual([{ column: 'b' }, { column: 'a' }])
  })
})
