import type { Index, Table } from '../../api/types'
import { columnById } from '../../store/design'
import { fieldsOf, type Part } from './draft'

// An index in words: all that it has, as SQL would order it.

export function wordsOf(table: Table, index: Index): string {
  const { parts } = fieldsOf(index, '')
  const stored = index.include?.map((id) => columnById(table, id)?.name ?? '?').join(', ')
  return [
    index.constraint ? 'unique key on' : index.unique ? 'unique on' : 'on',
    partsWords(table, parts),
    index.method && `using ${index.method}`,
    stored && `including ${stored}`,
    index.where && `where ${index.where}`,
  ]
    .filter(Boolean)
    .join(' ')
}

export function partsWords(table: Table, parts: readonly Part[]): string {
  return parts.map((p) => partWords(table, p)).join(', ')
}

function partWords(table: Table, { isExpression, column, expression, descending, nulls, opClass, collation, length }: Part): string {
  const key = isExpression ? expression : (columnById(table, column)?.name ?? '?')
  return [length ? `${key}(${length})` : key, collation && `collate ${collation}`, opClass, descending && 'desc', nulls && `nulls ${nulls}`].filter(Boolean).join(' ')
}
