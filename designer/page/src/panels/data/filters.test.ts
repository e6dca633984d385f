import { describe, expect, it } from 'vitest'
import { cellFilter, typedFilter, wordsOf } from './filters'

const column = (type: string) => ({ name: 'c', type })

describe('a typed condition', () => {
  it('is a number for MySQL, where the column is one', () => {
    expect(typedFilter(column('bigint unsigned'), 'eq', '5', 'mysql')).toEqual({ column: 'c', is: 'eq', value: '5', as: 'number' })
    expect(typedFilter(column('decimal(10,2)'), 'lt', '5', 'mysql').as).toBe('number')
    expect(typedFilter(column('int'), 'contains', '5', 'mysql').as).toBeUndefined()
    expect(typedFilter(column('varchar(10)'), 'eq', '5', 'mysql').as).toBeUndefined()
    expect(typedFilter(column('point'), 'eq', '5', 'mysql').as).toBeUndefined()
  })

  it.each(['sqlite', 'postgres', 'mssql'])('is a text for %s', (dialect) => {
    expect(typedFilter(column('integer'), 'eq', '5', dialect)).toEqual({ column: 'c', is: 'eq', value: '5' })
  })

  it('has no value where it needs none', () => {
    expect(typedFilter(column('int'), 'null', 'left over', 'mysql')).toEqual({ column: 'c', is: 'null' })
  })
})

describe('the rows with the same value', () => {
  it('are found by all kinds of values', () => {
    expect(cellFilter(column('text'), { kind: 'null' }, 'sqlite')).toEqual({ column: 'c', is: 'null' })
    expect(cellFilter(column('blob'), { kind: 'blob', text: '00ff', whole: 2 }, 'sqlite')).toEqual({ column: 'c', is: 'eq', value: '00ff', as: 'blob' })
    expect(cellFilter(column('int'), { kind: 'number', text: '9007199254740991' }, 'sqlite')?.value).toBe('9007199254740991')
    expect(cellFilter(column('text'), { kind: 'text', text: '' }, 'sqlite')).toEqual({ column: 'c', is: 'eq', value: '' })
  })

  it('are not looked for by a part of a value', () => {
    expect(cellFilter(column('blob'), { kind: 'blob', text: '00ff', whole: 3 }, 'sqlite')).toBeNull()
    expect(cellFilter(column('text'), { kind: 'text', text: 'a', whole: 9000 }, 'sqlite')).toBeNull()
  })
})

it('a condition is worded so that an empty text is seen', () => {
  expect(wordsOf({ column: 'c', is: 'eq', value: '' })).toBe('c = (empty)')
  expect(wordsOf({ column: 'c', is: 'not_null' })).toBe('c is not NULL')
  expect(wordsOf({ column: 'c', is: 'eq', value: '00ff', as: 'blob' })).toBe('c = 0x00ff')
})
