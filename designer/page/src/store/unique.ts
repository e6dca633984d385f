import type { Id, Index, Table } from '../api/types'

// uniqueOn is the unique key on one column alone, if there is one: what the
// edit model calls isUnique.
export function uniqueOn(table: Table, column: Id): Index | undefined {
  return table.indexes?.find((x) => x.unique === true && !x.where && x.parts.length === 1 && x.parts[0]?.column === column && x.parts[0].expression === undefined)
}

// withUnique is a table whose column is, or is not, unique on its own.
export function withUnique(table: Table, column: Id, isUnique: boolean, id: Id): Table {
  const key = uniqueOn(table, column)
  if (isUnique === (key !== undefined)) return table
  const indexes = (table.indexes ?? []).filter((x) => x !== key)
  return { ...table, indexes: isUnique ? [...indexes, { id, unique: true, parts: [{ column }] }] : indexes }
}
