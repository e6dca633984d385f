import type { Changes, DesignEvent, DesignEventType, Id, Origin } from '../api/types'
import type { Design } from './design'
import { presence } from './presence'
import { nextId, store, type Activity, type Mark } from './state'

// Who did what: the list of activity, and the marks on what others changed.

// whose is what a person reads: whoever signs in to the page of a project is
// the one person at this machine.
export const whose: Record<Origin, string> = { agent: 'Agent', page: 'You', database: 'Database', file: 'Design file' }

// whoDid names who did something: a program by its name, the others of a team by
// theirs.
export function whoDid(origin: Origin, client: string | undefined, author: string | undefined): string {
  const self = presence.get().list?.self.person ?? author // before the list is heard nobody else is known
  if (author === undefined || author === '' || author === self) return client || whose[origin]
  return origin === 'page' ? author : `${author}, ${client || whose[origin]}`
}

const kept = 200

export function record(event: DesignEvent, before: Design, after: Design): void {
  const tables = [...(event.tables ?? []).map((t) => t.id), ...(event.dropped ?? [])]
  const who = whoDid(event.origin ?? 'database', event.client, event.author)
  const own = event.origin === 'page' && who === whose.page
  const text = describe(event, before)
  const entry: Activity = { id: nextId(), seq: event.seq, type: event.type, at: Date.now(), origin: event.origin ?? 'database', who, own, text, tables }
  if (event.batchId !== undefined) entry.batchId = event.batchId
  store.set((s) => ({
    activity: [entry, ...s.activity].slice(0, kept),
    marks: own ? s.marks : marked(s.marks, tables, before, after, { origin: entry.origin, who: event.author ? who : whose[entry.origin], at: entry.at, text }),
  }))
}

function marked(marks: ReadonlyMap<Id, Mark>, ids: Id[], before: Design, after: Design, mark: Mark): ReadonlyMap<Id, Mark> {
  const changed = ids.filter((id) => after.tables.has(id) && after.tables.get(id) !== before.tables.get(id))
  if (changed.length === 0) return marks
  const next = new Map(marks)
  for (const id of changed) next.set(id, mark)
  return next
}

// clearMarks takes note that the person has seen the changes of these tables.
export function clearMarks(ids: readonly Id[]): void {
  store.set((s) => {
    if (!ids.some((id) => s.marks.has(id))) return {}
    const marks = new Map(s.marks)
    for (const id of ids) marks.delete(id)
    return { marks }
  })
}

const verbs: [suffix: string, verb: string][] = [
  ['Added', 'added'],
  ['Updated', 'changed'],
  ['Dropped', 'dropped'],
]

const nouns: Record<string, [one: string, many: string]> = {
  tables: ['table', 'tables'],
  columns: ['column', 'columns'],
  foreignKeys: ['foreign key', 'foreign keys'],
  indexes: ['index', 'indexes'],
  checks: ['check', 'checks'],
}

export type Where = Pick<Design, 'defaultSchema' | 'database'>

// Told is what the words of an event are made of.
type Told = Pick<DesignEvent, 'type' | 'origin' | 'changes' | 'sync' | 'tookBack'>

// words are what each type of event is called; what is that of its changes, ''
// where it has none that are shown. A type without words does not compile here,
// and one that the instance has and this list has not fails a test of e2e/rules.
const words: Record<DesignEventType, (event: Told, what: string, design: Where) => string> = {
  committed: (event, what) => (event.tookBack ? tookBack(event.tookBack, what) : what || 'made an edit that no table shows'),
  undone: (_, what) => (what ? `undid: ${what}` : 'undid an edit'),
  redone: (_, what) => (what ? `redid: ${what}` : 'redid an edit'),
  shown: () => 'opened the design',
  published: (event, _, { database }) => (event.sync === 'synced' ? `published the design to ${database}` : `published to ${database}; not all of the design is there`),
  refreshed: (event, what) => refreshed(event, what),
  reset: () => 'missed events; the design was read again',
}

function tookBack({ file, edits }: NonNullable<DesignEvent['tookBack']>, what: string): string {
  return `took back ${edits === 1 ? 'an edit' : `${edits} edits`}: ${file} was changed by another program; one undo brings back what was before${what ? ` (${what})` : ''}`
}

// refreshed tells a database that was read from a person who chose, or an agent
// that had a person choose, between the two sides.
function refreshed({ origin, sync }: Told, what: string): string {
  if (origin !== undefined && origin !== 'database') return 'settled what the design and the database had both changed'
  if (sync === 'drifted') return 'was changed elsewhere, where the design was changed too: see Changes'
  return what ? `was changed elsewhere: ${what}` : 'was changed elsewhere'
}

// describe puts an event in words: "added tables Orders, Lines; changed 3 columns".
export function describe(event: Told, design: Where): string {
  return words[event.type](event, summary(event.changes ?? {}, design), design)
}

function summary(changes: Changes, design: Pick<Design, 'defaultSchema'>): string {
  const parts: string[] = []
  for (const [suffix, verb] of verbs) {
    for (const [kind, [one, many]] of Object.entries(nouns)) {
      const list = changes[kind + suffix]
      if (!list?.length) continue
      const names = list.slice(0, 3).map((entry) => nameOf(kind, entry, design))
      parts.push(`${verb} ${list.length === 1 ? one : list.length <= 3 ? many : `${list.length} ${many}`} ${names.join(', ')}${list.length > 3 ? ' …' : ''}`)
    }
  }
  return parts.join('; ')
}

function nameOf(kind: string, entry: Changes[string][number], design: Pick<Design, 'defaultSchema'>): string {
  const owner = entry.table ?? { schema: entry.schema ?? '', name: entry.name ?? '' }
  const table = owner.schema && owner.schema !== design.defaultSchema ? `${owner.schema}.${owner.name}` : owner.name
  if (kind === 'tables') return table
  const part = entry.column ?? entry.foreignKey ?? entry.index ?? entry.check
  return kind === 'columns' ? `${table}.${part?.name ?? ''}` : (part?.name ?? table)
}
