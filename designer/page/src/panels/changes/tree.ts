import type { TableName } from '../../api/types'
import type { DiffItem } from '../lib/api'
import { nounOf, say, tableTitle, toneMarks, toneOf, type Tone } from '../lib/words'

// The changes of a design by table, for a tree and for a text.

export interface TableChanges {
  key: string
  table: TableName
  title: string
  tone: Tone // of the table as a whole
  items: DiffItem[] // below it; a new or dropped table has none
}

export interface ChangeTree {
  schemas: string[] // that are new
  tables: TableChanges[]
}

const order: Record<Tone, number> = { drop: 0, add: 1, change: 2 }

// treeOf groups changes by table: what goes, what comes, what changes, each by
// name.
export function treeOf(changes: readonly DiffItem[], defaultSchema: string): ChangeTree {
  const schemas: string[] = []
  const tables = new Map<string, TableChanges>()
  for (const item of changes) {
    if (item.kind === 'add_schema') {
      schemas.push(item.name ?? '')
      continue
    }
    // A table may be dropped and another one of its name be added.
    const tone = item.kind === 'add_table' ? 'add' : item.kind === 'drop_table' ? 'drop' : 'change'
    const key = `${tone} ${item.table.schema}.${item.table.name}`
    const title = tableTitle(item.table, defaultSchema)
    const group = tables.get(key) ?? { key, table: item.table, title, tone, items: [] }
    if (tone === 'change') group.items.push(item)
    tables.set(key, group)
  }
  const list = [...tables.values()].sort((a, b) => order[a.tone] - order[b.tone] || a.title.localeCompare(b.title))
  return { schemas, tables: list }
}

// textOf writes the same as lines, for reading aloud, copying and comparing.
export function textOf(tree: ChangeTree): string {
  const lines = tree.schemas.map((name) => `+ schema ${name}`)
  for (const { tone, title, items } of tree.tables) {
    lines.push(`${toneMarks[tone]} table ${title}`)
    for (const item of items) lines.push(`    ${toneMarks[toneOf(item.kind)]} ${say(item)}`)
  }
  return lines.join('\n')
}

// summaryOf counts what a table's changes are: "2 columns, 1 index".
export function summaryOf({ tone, items }: TableChanges): string {
  if (tone === 'add') return 'new table'
  if (tone === 'drop') return 'dropped'
  const counts = new Map<string, number>()
  for (const { kind } of items) counts.set(nounOf(kind), (counts.get(nounOf(kind)) ?? 0) + 1)
  return [...counts].map(([noun, n]) => (n === 1 ? `1 ${noun}` : `${n} ${noun === 'index' ? 'indexes' : `${noun}s`}`)).join(', ')
}
