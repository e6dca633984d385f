import type { ColumnSpec, Edit } from '../api/edits'
import type { Column, ForeignKey, Id, Table } from '../api/types'
import { tableOf } from './apply'
import { columnById, columnByName, type Design } from './design'

// A foreign key and what it refers to have one type, so another type of one
// column is another type of all that are related to it.

export interface Retyped {
  edits: Edit[]
  also: string[] // the other columns, as table.column
}

// withRelated are edits in which a column's new type goes to all columns that
// foreign keys relate to it. The keys are dropped and made again around it,
// since no type changes below a key. Where a key has what no edit can say, the
// edit is left as it is, and the instance refuses it.
export function withRelated(design: Design, edits: readonly Edit[]): Retyped {
  const also: string[] = []
  const gone = new Set(edits.flatMap((e) => (e.op === 'drop_foreign_key' ? (tableOf(design, e.table)?.foreignKeys?.filter((key) => key.id === e.foreignKey.id) ?? []) : [])))
  const all = edits.flatMap((e): Edit[] => {
    const type = e.op === 'set_column' ? typeIn(e.set) : null
    const table = e.op === 'set_column' && type ? tableOf(design, e.table) : undefined
    const column = e.op === 'set_column' && table ? (columnById(table, e.column.id) ?? columnByName(table, e.column.name ?? '')) : undefined
    if (!type || !table || !column || says(column, type)) return [e]
    const { columns, keys } = related(design, table, column.id, gone)
    if (keys.length === 0 || keys.some(({ key }) => key.deferrable !== undefined || key.options !== undefined)) return [e]
    const newName = e.op === 'set_column' ? e.set.name : undefined
    const nameOf = (t: Table, id: Id | undefined): string => (t.id === table.id && id === column.id && newName ? newName : (columnById(t, id)?.name ?? ''))
    const others = columns.slice(1) // the first is the column itself
    also.push(...others.map((c) => `${c.table.name}.${nameOf(c.table, c.id)}`))
    return [
      ...keys.map(({ table: t, key }): Edit => ({ op: 'drop_foreign_key', table: { id: t.id }, foreignKey: { id: key.id } })),
      e,
      ...others.map((c): Edit => ({ op: 'set_column', table: { id: c.table.id }, column: { id: c.id }, set: type })),
      ...keys.map(({ table: t, key, to }): Edit => ({
        op: 'add_foreign_key',
        table: { id: t.id },
        foreignKey: {
          ...(key.name ? { name: key.name } : {}),
          referencedTable: { id: to.id },
          mappings: key.mappings.map((m) => ({ column: nameOf(t, m.column), referencedColumn: nameOf(to, m.refColumn) })),
          onDeleteAction: key.onDelete,
          onUpdateAction: key.onUpdate,
        },
      })),
    ]
  })
  return { edits: all, also }
}

// typeIn is the type that a set_column gives; null: none.
function typeIn({ dataType, maxLength, precision, scale, values }: ColumnSpec): ColumnSpec | null {
  const given = Object.entries({ dataType, maxLength, precision, scale, values }).filter(([, value]) => value !== undefined)
  return given.length > 0 ? (Object.fromEntries(given)) : null
}

// says reports whether a column has that type already.
function says(column: Column, type: ColumnSpec): boolean {
  return Object.entries(type).every(([field, value]) => column[field as keyof Column] === value)
}

interface Related {
  columns: { table: Table; id: Id }[]
  keys: { table: Table; key: ForeignKey; to: Table }[]
}

// related are the columns that foreign keys relate to one, over any number of
// keys, that one among them, and those keys; but for keys that are gone by then.
function related(design: Design, table: Table, id: Id, gone: ReadonlySet<ForeignKey>): Related {
  const pairs = [...design.tables.values()].flatMap((t) =>
    (t.foreignKeys ?? []).flatMap((key) => {
      const to = key.refTable === undefined || gone.has(key) ? undefined : design.tables.get(key.refTable)
      return to ? key.mappings.map((m) => ({ table: t, key, to, from: m.column, refers: m.refColumn })) : []
    }),
  )
  const at = (t: Table, column: Id | undefined): string => `${t.id} ${column ?? ''}` // a column's id is its table's own
  const columns = new Map([[at(table, id), { table, id }]])
  for (const [column] of columns) {
    // A map that grows while it is walked is walked to its end.
    for (const p of pairs) {
      if (at(p.table, p.from) === column && p.refers !== undefined) columns.set(at(p.to, p.refers), { table: p.to, id: p.refers })
      if (at(p.to, p.refers) === column) columns.set(at(p.table, p.from), { table: p.table, id: p.from })
    }
  }
  const keys = new Map(pairs.filter((p) => columns.has(at(p.table, p.from))).map((p) => [at(p.table, p.key.id), p]))
  return { columns: [...columns.values()], keys: [...keys.values()] }
}

// alsoChanged says what a person did not name.
export function alsoChanged(also: readonly string[]): string {
  const some = also.slice(0, 3).join(', ')
  return `Changed with it: ${some}${also.length > 3 ? ` and ${also.length - 3} more` : ''}, which foreign keys relate to it.`
}
