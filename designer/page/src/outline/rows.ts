import type { Table } from '../api/types'
import type { Design } from '../store/design'
import type { Tone } from '../panels/lib/words'
import { summaryOf, type TableChanges } from '../panels/changes/tree'

// The tables of a design as the rows of a tree: schemas, and below each its
// tables, those that were dropped among them.

export interface Entry {
  key: string // the table's id; of a dropped one its name
  schema: string
  name: string
  table: Table | null // null: dropped
  tone: Tone | null // how it differs from the database; null: it does not
  change: string // in words: "2 columns", "new table"; '': no change
}

export interface SchemaRow {
  kind: 'schema'
  key: string
  name: string
  tables: number // below it, as far as they are searched for
  open: boolean
  place: Place
}

export interface TableRow {
  kind: 'table'
  key: string
  entry: Entry
  hits: readonly string[] // the columns that are searched for
  place: Place
}

export type Row = SchemaRow | TableRow

// Place is where a row stands among its siblings, for who cannot see it.
export interface Place {
  level: number
  index: number // from 1
  of: number
}

export const inOrder = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

// entriesOf lists the tables by schema, the default one first, and name.
export function entriesOf(design: Design, changes: readonly TableChanges[]): Entry[] {
  const changed = new Map(changes.flatMap((c) => (c.tone === 'drop' ? [] : [[nameKey(c.table), c] as const])))
  const entries = [...design.tables.values()].map((table): Entry => {
    const change = changed.get(nameKey(table))
    return { key: table.id, schema: table.schema, name: table.name, table, tone: change?.tone ?? null, change: change ? wordsOf(change) : '' }
  })
  for (const c of changes) {
    if (c.tone === 'drop') entries.push({ key: `dropped ${nameKey(c.table)}`, ...c.table, table: null, tone: 'drop', change: summaryOf(c) })
  }
  const first = (e: Entry): number => (e.schema === design.defaultSchema ? 0 : 1)
  return entries.sort((a, b) => first(a) - first(b) || inOrder.compare(a.schema, b.schema) || inOrder.compare(a.name, b.name))
}

function nameKey({ schema, name }: { schema: string; name: string }): string {
  return `${schema}\n${name}`
}

function wordsOf(change: TableChanges): string {
  return change.tone === 'add' ? summaryOf(change) : `changed: ${summaryOf(change)}`
}

export interface Asked {
  text: string // searched for
  changed: boolean // only what differs from the database
  closed: ReadonlySet<string> // schemas; while something is searched for all are open
}

// rowsOf returns the rows that are there to see, and how many tables they stand
// for.
export function rowsOf(entries: readonly Entry[], { text, changed, closed }: Asked): { rows: Row[]; found: number } {
  const wanted = text.trim().toLowerCase()
  const schemas = new Map<string, { entry: Entry; hits: readonly string[] }[]>()
  let found = 0
  for (const entry of entries) {
    if (changed && entry.tone === null) continue
    const hits = match(entry, wanted)
    if (!hits) continue
    found++
    const list = schemas.get(entry.schema)
    if (list) list.push({ entry, hits })
    else schemas.set(entry.schema, [{ entry, hits }])
  }
  const rows: Row[] = []
  let index = 0
  for (const [name, list] of schemas) {
    const open = wanted !== '' || !closed.has(name)
    index++
    rows.push({ kind: 'schema', key: `schema ${name}`, name, tables: list.length, open, place: { level: 1, index, of: schemas.size } })
    if (!open) continue
    for (const [i, { entry, hits }] of list.entries()) {
      rows.push({ kind: 'table', key: entry.key, entry, hits, place: { level: 2, index: i + 1, of: list.length } })
    }
  }
  return { rows, found }
}

const columnNames = new WeakMap<Table, string>()
const most = 4 // columns that are named for one table

// match returns the first columns of a table whose names have a text, none where the
// table's own name has it, and null where nothing has.
function match({ schema, name, table }: Entry, wanted: string): readonly string[] | null {
  if (wanted === '' || `${schema}.${name}`.toLowerCase().includes(wanted)) return []
  if (!table) return null
  let all = columnNames.get(table)
  if (all === undefined) columnNames.set(table, (all = table.columns.map((c) => c.name.toLowerCase()).join('\n')))
  if (!all.includes(wanted)) return null
  const hits: string[] = []
  for (const { name: column } of table.columns) {
    if (!column.toLowerCase().includes(wanted)) continue
    if (hits.length === most) return [...hits, '…']
    hits.push(column)
  }
  return hits
}
