import { columnOf, sourceOf } from './query'
import type { Known } from './relations'

// What a person may mean by what they have typed of a query: names that the
// database has, and a few words.

export interface Names {
  tables: readonly { schema: string; name: string; columns: readonly string[] }[]
  defaultSchema: string
  dialect: string
}

export interface Suggestion {
  text: string // what is put in
  kind: 'table' | 'column' | 'word'
  of: string // a column's table
}

export interface Completion {
  from: number // where what was typed of it begins
  suggestions: Suggestion[]
}

const most = 8
const words = 'SELECT FROM WHERE GROUP BY ORDER HAVING JOIN LEFT INNER ON AND OR NOT NULL LIKE BETWEEN DISTINCT COUNT LIMIT OFFSET UNION WITH CASE WHEN THEN ELSE END DESC'.split(' ')

// namesOf are the tables and columns that the database has.
export function namesOf({ design, changes }: Known): Names {
  const tables = [...design.tables.values()].flatMap((table) => {
    const source = sourceOf(table, changes)
    return source ? [{ ...source.table, columns: table.columns.flatMap((c) => columnOf(table, c.id, changes) ?? []) }] : []
  })
  const views = design.views.map((v) => ({ schema: v.schema ?? design.defaultSchema, name: v.name, columns: [] }))
  return { tables: [...tables, ...views], defaultSchema: design.defaultSchema, dialect: design.dialect }
}

// complete suggests what could stand at caret; null: nothing.
export function complete(text: string, caret: number, names: Names): Completion | null {
  const before = text.slice(0, caret)
  if ((before.split("'").length - 1) % 2 === 1 || /--[^\n]*$/.test(before)) return null
  const typed = /[\p{L}\p{N}_$]*$/u.exec(before)?.[0] ?? ''
  const from = caret - typed.length
  const owner = /([\p{L}\p{N}_$]+)["`\]]?\.["`[]?$/u.exec(before.slice(0, from))?.[1]
  if (owner === undefined && typed === '') return null
  const all = owner === undefined ? everything(text, names) : ofOwner(text, owner, names)
  const suggestions = ranked(all, typed).slice(0, most)
  return suggestions.length === 0 ? null : { from, suggestions }
}

// everything has the columns of tables that the query names first.
function everything(text: string, names: Names): Suggestion[] {
  const said = new Set((text.match(/[\p{L}\p{N}_$]+/gu) ?? []).map(lower))
  const columns = names.tables.filter((t) => said.has(lower(t.name))).flatMap((t) => columnsOf(t, names))
  const tables = names.tables.map((t): Suggestion => ({ text: tableText(t, names), kind: 'table', of: '' }))
  return [...columns, ...tables, ...words.map((w): Suggestion => ({ text: w, kind: 'word', of: '' }))]
}

// ofOwner are the columns of a table, by its name or its alias, or the tables of
// a schema.
function ofOwner(text: string, owner: string, names: Names): Suggestion[] {
  const table = names.tables.find((t) => lower(t.name) === lower(aliases(text).get(lower(owner)) ?? owner))
  if (table) return columnsOf(table, names)
  return names.tables.filter((t) => lower(t.schema) === lower(owner)).map((t) => ({ text: quoted(t.name, names.dialect), kind: 'table', of: '' }))
}

function columnsOf(table: Names['tables'][number], names: Names): Suggestion[] {
  return table.columns.map((c) => ({ text: quoted(c, names.dialect), kind: 'column', of: table.name }))
}

function tableText(table: { schema: string; name: string }, { defaultSchema, dialect }: Names): string {
  const name = quoted(table.name, dialect)
  return table.schema === '' || table.schema === defaultSchema ? name : `${quoted(table.schema, dialect)}.${name}`
}

const named = /\b(?:from|join)\s+(?:["`[]?[\p{L}\p{N}_$]+["`\]]?\.)?["`[]?([\p{L}\p{N}_$]+)["`\]]?\s+(?:as\s+)?([\p{L}\p{N}_$]+)/giu

// aliases are the tables of a query by what it calls them.
function aliases(text: string): Map<string, string> {
  return new Map([...text.matchAll(named)].map(([, table = '', alias = '']) => [lower(alias), table]))
}

// ranked has what begins with the typed before what holds it, and leaves out
// what is typed in full.
function ranked(all: readonly Suggestion[], typed: string): Suggestion[] {
  const place = (s: Suggestion): number => lower(s.text).replace(/^["`[]/, '').indexOf(lower(typed))
  const seen = new Set<string>()
  return all
    .filter((s) => place(s) >= 0 && lower(s.text) !== lower(typed) && (place(s) === 0 || s.kind !== 'word') && seen.size < seen.add(`${s.kind} ${s.text}`).size)
    .sort((a, b) => Number(place(a) > 0) - Number(place(b) > 0))
}

function lower(text: string): string {
  return text.toLowerCase()
}

const reserved = new Set('all and as asc between by case check column constraint create cross default delete desc distinct drop else end except exists false for foreign from full group grant having in index inner insert intersect into is join key left like limit natural not null offset on or order outer primary references right select set table then to true union unique update user using values view when where with'.split(' '))

// quoted is a name as a query takes it.
export function quoted(name: string, dialect: string): string {
  const plain = dialect === 'postgres' ? /^[a-z_][a-z0-9_]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/
  if (plain.test(name) && !reserved.has(lower(name))) return name
  if (dialect === 'mssql') return `[${name.replaceAll(']', ']]')}]`
  if (dialect === 'mysql') return `\`${name.replaceAll('`', '``')}\``
  return `"${name.replaceAll('"', '""')}"`
}
