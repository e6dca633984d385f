import { describe, expect, it } from 'vitest'
import { countdown, plural, visible } from './text'
import { countReceipt, say } from './words'

describe('texts from outside', () => {
  it('show characters that would hide or turn others around', () => {
    expect(visible('safe\u202e evil\u0000')).toBe('safe\\u{202e} evil\\u{0}')
    expect(visible('a\u200bb\r')).toBe('a\\u{200b}b\\u{d}')
    expect(visible('secret\ufe01')).toBe('secret\\u{fe01}')
  })

  it('are let be where nothing is hidden', () => {
    const text = 'Größe\t日本\nनमस्ते ❤\ufe0f “x”'
    expect(visible(text)).toBe(text)
  })
})

describe('words', () => {
  it('count', () => {
    expect(plural(1, 'statement')).toBe('1 statement')
    expect(plural(1200, 'index', 'indexes')).toBe('1,200 indexes')
    expect(countdown(249_100)).toBe('4:10')
    expect(countdown(-5)).toBe('0:00')
    expect(countdown(3_720_000)).toBe('1 h 02')
  })

  it('say what a change does', () => {
    const table = { schema: 'main', name: 'Customer' }
    expect(say({ kind: 'rename_column', table, name: 'Mail', was: 'EMail' })).toBe('rename column EMail to Mail')
    expect(say({ kind: 'alter_column', table, name: 'Mail', fields: ['type', 'default'] })).toBe('change column Mail: type, default')
    expect(say({ kind: 'drop_foreign_key', table, name: 'FK' })).toBe('drop foreign key FK')
    expect(say({ kind: 'alter_index', table, name: 'B', was: 'A' })).toBe('change index B (was A)')
  })

  it('take the counts of a receipt that was cut', () => {
    expect(countReceipt({ tablesAdded: [{}], columnsDropped: [{}, {}] }, { tablesAdded: 400 }).map((l) => l.text)).toEqual(['400 tables added', '2 columns dropped'])
  })
})
