import type { Edit, TableRef } from '../api/edits'
import type { Copied } from './copying'
import { findTable, fullName, type Design } from './design'
import { freeName } from './names'

// Pasted tables get names that are free, and the schema of the design where it
// has not theirs. A foreign key to a table that is neither there nor pasted is
// left out.

export interface Pasted {
  edits: Edit[]
  tables: { schema: string; name: string }[]
  leftOut: string[] // foreign keys, by table and the table that they led to
}

// read is what a text holds if it was copied from a design; null: it was not.
export function read(text: string): Copied | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const got = JSON.parse(text) as Partial<Copied> | null
    return got?.berth === 'tables' && typeof got.dialect === 'string' && Array.isArray(got.edits) && got.edits.every(adds) ? (got as Copied) : null
  } catch {
    return null
  }
}

// adds reports whether what stands in a text has the form of an edit that is
// copied. Its values are checked by the instance.
function adds(edit: unknown): boolean {
  const e = edit as Record<string, unknown> | null
  const part = { add_table: 'table', add_index: 'index', add_check: 'check', add_foreign_key: 'foreignKey' }[String(e?.['op'])]
  return part !== undefined && [e?.['table'], e?.[part]].every((value) => typeof value === 'object' && value !== null)
}

// pasted are the edits that add to a design what was copied.
export function pasted(design: Design, edits: readonly Edit[]): Pasted {
  const free = names(design)
  const now = new Map<string, { schema: string; name: string; was: string }>()
  for (const e of edits) {
    if (e.op !== 'add_table') continue
    const schema = schemaIn(design, e.table)
    now.set(keyOf(e.table), { schema, name: free.table(schema, e.table.name ?? ''), was: e.table.name ?? '' })
  }
  const leftOut: string[] = []
  const renamed = edits.flatMap((e): Edit[] => {
    const to = 'table' in e ? now.get(keyOf(e.table)) : undefined
    if (!to) return []
    const table: TableRef = { schema: to.schema, name: to.name }
    const own = (name: string | undefined) => (name === undefined ? {} : { name: free.object(to.was === to.name ? name : within(name, to.was, to.name)) })
    if (e.op === 'add_table') return [{ ...e, table }]
    if (e.op === 'add_index') return [{ ...e, table, index: { ...e.index, ...own(e.index.name) } }]
    if (e.op === 'add_check') return [{ ...e, table, check: { ...e.check, ...own(e.check.name) } }]
    if (e.op !== 'add_foreign_key') return []
    const wanted = e.foreignKey.referencedTable ?? {}
    const referenced = now.get(keyOf(wanted)) ?? findTable(design, schemaIn(design, wanted), wanted.name ?? '')
    if (!referenced) {
      leftOut.push(`${to.name} → ${fullName({ schema: wanted.schema ?? '', name: wanted.name ?? '' })}`)
      return []
    }
    return [{ ...e, table, foreignKey: { ...e.foreignKey, ...own(e.foreignKey.name), referencedTable: { schema: referenced.schema, name: referenced.name } } }]
  })
  return { edits: renamed, tables: [...now.values()].map(({ schema, name }) => ({ schema, name })), leftOut }
}

const keyOf = (table: TableRef): string => `${table.schema ?? ''}\n${table.name ?? ''}`

function schemaIn(design: Design, table: TableRef): string {
  return design.schemas.find((s) => s.toLowerCase() === table.schema?.toLowerCase()) ?? design.defaultSchema
}

// within is the name of an index with the table's new name in place of the old.
function within(name: string, was: string, now: string): string {
  return was !== '' && name.includes(was) ? name.replace(was, now) : name
}

// names finds names that nothing in a design has. Those of keys, indexes and
// checks are kept apart from all others of their kind, as the strictest of the
// dialects has it.
function names(design: Design) {
  const taken = new Set<string>()
  const objects = new Set<string>()
  for (const t of design.tables.values()) {
    taken.add(`${t.schema}\n${t.name}`.toLowerCase())
    for (const x of [...(t.foreignKeys ?? []), ...(t.indexes ?? []), ...(t.checks ?? []), ...(t.primaryKey ? [t.primaryKey] : [])]) {
      if (x.name) objects.add(x.name.toLowerCase())
    }
  }
  for (const v of design.views) taken.add(`${v.schema ?? design.defaultSchema}\n${v.name}`.toLowerCase())
  const take = (used: Set<string>, before: string, name: string): string => {
    const free = freeName(name, (n) => used.has((before + n).toLowerCase()), (n) => (n === 2 ? `${name}_copy` : `${name}_copy${n - 1}`))
    used.add((before + free).toLowerCase())
    return free
  }
  return { table: (schema: string, name: string) => take(taken, `${schema}\n`, name), object: (name: string) => take(objects, '', name) }
}
