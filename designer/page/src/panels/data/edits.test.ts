import { describe, expect, it } from 'vitest'
import { parseOutcome } from './changing'
import { entryOf, identity, ordered, put, typed, type Edit } from './edits'
import type { Cell } from './rows'
import { clearCell, deleteRow, setCell, sheetOf } from './sheet'

const text = (t: string): Cell => ({ kind: 'text', text: t })
const number = (t: string): Cell => ({ kind: 'number', text: t })
const columns = [
  { name: 'id', type: 'INTEGER' },
  { name: 'title', type: 'TEXT' },
  { name: 'body', type: 'TEXT' },
]
const cut: Cell = { kind: 'text', text: 'abc', whole: 9000 }
const read: Cell[][] = [
  [number('1'), text('a'), cut],
  [number('2'), { kind: 'null' }, text('')],
]
const sheet = (edits: readonly Edit[]) => sheetOf(columns, read, edits, ['id'])
const line = (edits: readonly Edit[], at: number) => sheet(edits).lines[at] ?? expect.fail('no such row')

describe('a value that is typed', () => {
  const column = (type: string) => ({ type })
  it('is a text on servers, which read it as the type', () => {
    expect(typed('12', column('int4'), number('1'), 'postgres')).toEqual({ text: '12' })
    expect(typed('true', column('bool'), { kind: 'bool', text: 'false' }, 'postgres')).toEqual({ text: 'true' })
  })
  it('is a number on SQLite where the column or the cell has numbers', () => {
    expect(typed(' 1.50 ', column('NUMERIC'), { kind: 'null' }, 'sqlite')).toEqual({ as: 'number', text: '1.50' })
    expect(typed('12', column('VARCHAR(3)'), { kind: 'null' }, 'sqlite')).toEqual({ text: '12' })
    expect(typed('2024-01-02', column('DATE'), { kind: 'null' }, 'sqlite')).toEqual({ text: '2024-01-02' })
    expect(typed('12', column(''), number('1'), 'sqlite')).toEqual({ as: 'number', text: '12' })
    expect(typed('12', column(''), text('1'), 'sqlite')).toEqual({ text: '12' })
  })
  it('is hex where there are bytes', () => {
    expect(typed('0x00 FF', column('bytea'), { kind: 'null' }, 'postgres')).toEqual({ as: 'blob', text: '00ff' })
    expect(typed('0', column(''), { kind: 'blob', text: '01', whole: 1 }, 'sqlite')).toHaveProperty('error')
  })
})

describe('what is pending', () => {
  it('has no value that was cut as an old one', () => {
    expect(entryOf(cut)).toBeNull()
    const [edit] = setCell([], sheet([]), line([], 0), 'title', { text: 'b' }, text('a'))
    expect(edit).toEqual({ kind: 'update', id: '[{"kind":"number","text":"1"}]', row: { id: { as: 'number', text: '1' }, title: { text: 'a' } }, set: { title: { text: 'b' } } })
    const [whole] = setCell([], sheet([]), line([], 0), 'body', { text: 'b' }, text('abcdef'))
    expect(whole?.row.body).toEqual({ text: 'abcdef' })
    const [deleted] = deleteRow([], sheet([]), line([], 0))
    expect(deleted?.row).not.toHaveProperty('body')
  })
  it('is nothing once a value is what it was', () => {
    const changed = setCell([], sheet([]), line([], 1), 'title', { text: '' }, { kind: 'null' })
    expect(changed).toHaveLength(1)
    expect(setCell(changed, sheet(changed), line(changed, 1), 'title', { as: 'null' }, { kind: 'null' })).toEqual([])
    expect(clearCell(changed, line(changed, 1), 'title')).toEqual([])
    expect(setCell([], sheet([]), line([], 1), 'body', { text: '' }, text(''))).toEqual([])
  })
  it('is shown in the rows, and behind them what is new', () => {
    const edits = put(setCell([], sheet([]), line([], 0), 'title', { as: 'null' }, text('a')), { kind: 'insert', id: 'new 1', row: {}, set: { title: { text: 'x' } } })
    expect(sheet(edits).rows).toEqual([[number('1'), { kind: 'null' }, cut], read[1], [{ kind: 'null' }, text('x'), { kind: 'null' }]])
    expect(deleteRow(edits, sheet(edits), line(edits, 2))).toHaveLength(1)
  })
  it('is of the row with that key, or of the whole row', () => {
    expect(identity(columns, read[0] ?? [], ['id'])).toBe('[{"kind":"number","text":"1"}]')
    expect(identity(columns, read[0] ?? [], [])).not.toBe(identity(columns, read[1] ?? [], []))
  })
  it('deletes before it changes, and adds last', () => {
    const of = (kind: Edit['kind']): Edit => ({ kind, id: kind, row: {}, set: {} })
    expect(ordered([of('insert'), of('update'), of('delete')]).map((e) => e.kind)).toEqual(['delete', 'update', 'insert'])
  })
})

describe('an outcome', () => {
  it('has all digits of the row as it is now', () => {
    expect(parseOutcome('{"elapsedMs":4,"refused":{"change":1,"why":"w","now":{"columns":[{"name":"a","type":""}],"rows":[[1.0]],"truncated":false}}}').refused).toEqual({
      change: 1,
      why: 'w',
      now: { columns: [{ name: 'a', type: '' }], rows: [[number('1.0')]], truncated: false },
    })
    expect(parseOutcome('{"done":3,"elapsedMs":4}')).toEqual({ done: 3 })
    expect(parseOutcome('{"refused":{"change":-1,"why":"w","now":null},"elapsedMs":4}').refused).toEqual({ change: -1, why: 'w', now: null })
  })
})
