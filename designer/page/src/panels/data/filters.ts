import type { Condition, Filter } from './api'
import type { Cell } from './rows'

// Conditions on columns, as a person words and reads them.

export const conditions: readonly { is: Condition; text: string; sign: string }[] = [
  { is: 'contains', text: 'contains', sign: 'contains' },
  { is: 'eq', text: 'is', sign: '=' },
  { is: 'ne', text: 'is not', sign: '≠' },
  { is: 'lt', text: 'is less than', sign: '<' },
  { is: 'gt', text: 'is more than', sign: '>' },
  { is: 'null', text: 'is NULL', sign: 'is NULL' },
  { is: 'not_null', text: 'is not NULL', sign: 'is not NULL' },
]

export function takesValue(is: Condition): boolean {
  return is !== 'null' && is !== 'not_null'
}

const numeric = /^(unsigned )?((tiny|small|medium|big)?int(eger)?|decimal|numeric|float|double|real|year)\b/i

// typedFilter is the condition that a person typed. MySQL and MariaDB compare a
// number with a text by guessing at the text, so they are sent a number; the
// other servers read the text as the column's type.
export function typedFilter(column: { name: string; type: string }, is: Condition, value: string, dialect: string): Filter {
  if (!takesValue(is)) return { column: column.name, is }
  const number = dialect === 'mysql' && is !== 'contains' && numeric.test(column.type)
  return { column: column.name, is, value, ...(number ? { as: 'number' as const } : {}) }
}

// cellFilter finds the rows that have the same value in a column; null where
// the value is not known whole.
export function cellFilter(column: { name: string; type: string }, cell: Cell, dialect: string): Filter | null {
  switch (cell.kind) {
    case 'null':
      return { column: column.name, is: 'null' }
    case 'blob':
      return cell.whole * 2 === cell.text.length ? { column: column.name, is: 'eq', value: cell.text, as: 'blob' } : null
    case 'text':
      return cell.whole === undefined ? typedFilter(column, 'eq', cell.text, dialect) : null
    default:
      return typedFilter(column, 'eq', cell.text, dialect)
  }
}

// wordsOf is a condition as it stands above the rows.
export function wordsOf(filter: Filter): string {
  const sign = conditions.find((c) => c.is === filter.is)?.sign ?? filter.is
  if (!takesValue(filter.is)) return `${filter.column} ${sign}`
  const value = filter.as === 'blob' ? `0x${filter.value ?? ''}` : (filter.value ?? '')
  return `${filter.column} ${sign} ${value === '' ? '(empty)' : value.length > 40 ? `${value.slice(0, 40)}…` : value}`
}
