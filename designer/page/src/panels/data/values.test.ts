import { describe, expect, it } from 'vitest'
import type { Cell } from './rows'
import { moved, part, within, wholeRow } from './selection'
import { back, begin, go, turned } from './trail'
import { hexDump, objectOf, prettyJson, tabbed } from './values'

const text = (t: string): Cell => ({ kind: 'text', text: t })

describe('what is copied', () => {
  it('is quoted where a spreadsheet would split it', () => {
    expect(tabbed([[text('a\tb'), { kind: 'null' }], [text('say "x"'), { kind: 'blob', text: '00ff', whole: 2 }]])).toBe('"a\tb"\t\n"say ""x"""\t0x00ff')
  })

  it('has all digits of a number in JSON', () => {
    const row = objectOf([{ name: 'a "1"', type: '' }, { name: 'b', type: '' }, { name: 'c', type: '' }], [{ kind: 'number', text: '1.0' }, text('x\n'), { kind: 'null' }])
    expect(row).toBe('{\n  "a \\"1\\"": 1.0,\n  "b": "x\\n",\n  "c": null\n}')
  })
})

describe('JSON in a cell', () => {
  it('is laid out with its digits and its order', () => {
    expect(prettyJson('{"b":[1.0,12345678901234567890,{}],"a":"x, {y}","e":[]}')).toBe('{\n  "b": [\n    1.0,\n    12345678901234567890,\n    {}\n  ],\n  "a": "x, {y}",\n  "e": []\n}')
  })

  it.each(['', '5', '"text"', '{"a":', '[1,]', 'null'])('%j is no object and no list', (t) => {
    expect(prettyJson(t)).toBeNull()
  })
})

it('bytes are shown with their places and what of them is ASCII', () => {
  expect(hexDump('')).toBe('')
  expect(hexDump(`48692e${'00'.repeat(13)}7e7f`)).toBe(`00000000  48 69 2e${' 00'.repeat(13)}  Hi..............\n00000010  7e 7f${' '.repeat(42)}  ~.`)
})

describe('a selection', () => {
  const at = (row: number, column: number) => ({ from: { row, column }, to: { row, column } })
  const extent = { rows: 3, columns: 2 }

  it('moves within the rows, and is drawn with shift', () => {
    expect(moved(at(0, 0), 'ArrowUp', false, extent)).toEqual(at(0, 0))
    expect(moved(at(1, 0), 'End', false, extent)).toEqual(at(1, 1))
    const drawn = moved(at(2, 1), 'ArrowUp', true, extent)
    expect(drawn).toEqual({ from: { row: 2, column: 1 }, to: { row: 1, column: 1 } })
    expect(moved(at(0, 0), 'x', false, extent)).toBeNull()
    expect(drawn && within(drawn, 2, 1)).toBe(true)
    expect(drawn && within(drawn, 0, 1)).toBe(false)
  })

  it('is a rectangle, wherever it began', () => {
    const rows = [['a', 'b'], ['c', 'd'], ['e', 'f']]
    expect(part({ from: { row: 2, column: 1 }, to: { row: 1, column: 0 } }, rows)).toEqual([['c', 'd'], ['e', 'f']])
    expect(part(wholeRow(0, 2), rows)).toEqual([['a', 'b']])
  })
})

describe('the way back', () => {
  it('leads to what was shown, with its filters and its order', () => {
    const first = { ...begin('a'), view: { value: 'a', filters: [{ column: 'x', is: 'null' as const }], sort: { column: 'y' } } }
    const second = go(first, begin('b').view)
    expect(second.view.value).toBe('b')
    expect(back(second)).toEqual(first)
    expect(back(first)).toBe(first)
  })
})

it('a column is sorted up, down and not at all', () => {
  expect(turned(null, 'a')).toEqual({ column: 'a' })
  expect(turned({ column: 'a' }, 'a')).toEqual({ column: 'a', descending: true })
  expect(turned({ column: 'a', descending: true }, 'a')).toBeNull()
  expect(turned({ column: 'b', descending: true }, 'a')).toEqual({ column: 'a' })
})
