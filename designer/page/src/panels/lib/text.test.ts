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

  it('say what was before and what is after', () => {
    const table = { schema: 'main', name: 'Customer' }
    const said = (kind: string, more: object): string => say({ kind, table, ...more })
    expect(said('alter_column', { name: 'Mail', fields: ['type'], from: 'varchar(220)', to: 'text' })).toBe('change column Mail: varchar(220) → text')
    expect(said('alter_column', { name: 'Mail', fields: ['type', 'options'], from: 'varchar(220)', to: 'text' })).toBe('change column Mail: varchar(220) → text, options')
    expect(said('alter_column', { name: 'Mail', fields: ['nullability', 'default'], from: 'null no default', to: "not null default ''" })).toBe("change column Mail: null no default → not null default ''")
    expect(said('rename_column', { name: 'Mail', was: 'EMail', from: 'EMail', to: 'Mail' })).toBe('rename column EMail to Mail')
    expect(said('set_primary_key', { from: 'no primary key', to: 'id' })).toBe('change the primary key: no primary key → id')
    expect(said('set_primary_key', { from: 'id', to: 'id' })).toBe('change the primary key')
    expect(said('alter_table', { from: 'no comment', to: 'comment "who buys"' })).toBe('change comment or options: no comment → comment "who buys"')
    expect(said('alter_index', { name: 'B', was: 'A', from: '(a)', to: 'unique (a, b desc)' })).toBe('change index B (was A): (a) → unique (a, b desc)')
    expect(said('add_column', { name: 'Fax', to: 'text' })).toBe('add column Fax: text')
    expect(said('drop_foreign_key', { name: 'FK', from: 'a → n (id)' })).toBe('drop foreign key FK: a → n (id)')
    expect(said('alter_type', { name: 'mood', fields: ['values'], from: 'good, bad', to: 'good, bad, so-so' })).toBe('change type mood: good, bad → good, bad, so-so')
    expect(said('add_table', { to: 'id, name' })).toBe('new table')
  })

  it('take the counts of a receipt that was cut', () => {
    expect(countReceipt({ tablesAdded: [{}], columnsDropped: [{}, {}] }, { tablesAdded: 400 }).map((l) => l.text)).toEqual(['400 tables added', '2 columns dropped'])
  })
})
