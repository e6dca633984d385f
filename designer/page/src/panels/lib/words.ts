import type { TableName } from '../../api/types'
import type { DiffItem, Risk } from './api'

// How changes of a schema are put in words.

export type Tone = 'add' | 'drop' | 'change'

export function toneOf(kind: string): Tone {
  if (kind.startsWith('add_')) return 'add'
  return kind.startsWith('drop_') ? 'drop' : 'change'
}

export const toneMarks: Record<Tone, string> = { add: '+', drop: '−', change: '~' }

const nouns: [suffix: string, noun: string][] = [
  ['foreign_key', 'foreign key'],
  ['primary_key', 'primary key'],
  ['schema', 'schema'],
  ['table', 'table'],
  ['column', 'column'],
  ['index', 'index'],
  ['check', 'check'],
  ['type', 'type'],
]

export function nounOf(kind: string): string {
  return nouns.find(([suffix]) => kind.endsWith(suffix))?.[1] ?? kind.replaceAll('_', ' ')
}

// sides are what a part was and becomes, ": varchar(220) → text"; '' where its
// words say all. What has no words of its own is named.
function sides({ from = '', to = '', fields = [] }: DiffItem): string {
  if (from === to) return fields.length > 0 ? `: ${fields.join(', ')}` : ''
  return `: ${[from, to].filter(Boolean).join(' → ')}${fields.includes('options') ? ', options' : ''}`
}

// say describes a change below its table: "rename column EMail to Mail",
// "change column Mail: varchar(220) → text".
export function say(item: DiffItem): string {
  const noun = nounOf(item.kind)
  const name = item.name ?? ''
  const was = item.was ?? ''
  switch (item.kind) {
    case 'add_table':
      return 'new table'
    case 'drop_table':
      return 'drop the table'
    case 'rename_table':
      return `rename from ${was}`
    case 'move_table':
      return `move from schema ${was}`
    case 'alter_table':
      return `change comment or options${sides(item)}`
    case 'set_primary_key':
      return `change the primary key${sides(item)}`
    case 'rename_column':
      return `rename column ${was} to ${name}`
  }
  const verb = { add: 'add', drop: 'drop', change: 'change' }[toneOf(item.kind)]
  return `${verb} ${noun}${name ? ` ${name}` : ''}${was && was !== name ? ` (was ${was})` : ''}${sides(item)}`
}

export function tableTitle(table: TableName, defaultSchema: string): string {
  return table.schema && table.schema !== defaultSchema ? `${table.schema}.${table.name}` : table.name
}

export const riskWords: Record<Risk, { label: string; title: string }> = {
  data_loss: { label: 'data loss', title: 'Rows, or parts of values, are gone afterwards.' },
  rewrites_table: { label: 'rewrites table', title: 'Takes time and room in proportion to the table.' },
  blocks_writes: { label: 'blocks writes', title: 'Writers of the table wait while it runs.' },
  not_transactional: { label: 'not transactional', title: 'Cannot be rolled back with the other statements.' },
  may_fail: { label: 'may fail', title: 'Depends on the rows that are there.' },
  breaks: { label: 'breaks', title: 'A function, trigger or event names what gets another name or goes: the notes say which.' },
  invents_values: { label: 'invents values', title: 'Rows that are there get a value that nobody gave them.' },
}

// wordsOfRisk says what a risk is, one too that this page does not know yet.
export function wordsOfRisk(risk: string): { label: string; title: string } {
  const known: Partial<Record<string, { label: string; title: string }>> = riskWords
  return known[risk] ?? { label: risk.replaceAll('_', ' '), title: '' }
}

// The kinds of a receipt's lists, as docs/http.md names them.
const receiptNouns: [prefix: string, one: string, many: string][] = [
  ['tables', 'table', 'tables'],
  ['columns', 'column', 'columns'],
  ['foreignKeys', 'foreign key', 'foreign keys'],
  ['indexes', 'index', 'indexes'],
  ['checks', 'check', 'checks'],
]

// countReceipt says what a receipt's lists hold: "3 tables added", one line
// a list.
export function countReceipt(changes: Record<string, unknown[]>, counts: Record<string, number> = {}): { tone: Tone; text: string }[] {
  const out: { tone: Tone; text: string }[] = []
  const verbs: [suffix: string, word: string, tone: Tone][] = [
    ['Added', 'added', 'add'],
    ['Updated', 'changed', 'change'],
    ['Dropped', 'dropped', 'drop'],
  ]
  for (const [suffix, word, tone] of verbs) {
    for (const [prefix, one, many] of receiptNouns) {
      const n = counts[prefix + suffix] ?? changes[prefix + suffix]?.length ?? 0
      if (n > 0) out.push({ tone, text: `${n} ${n === 1 ? one : many} ${word}` })
    }
  }
  return out
}
