// The data of a change card, as tools/schema/card.go writes it.

export interface Line {
  kind: string
  name?: string
  from?: string
  to?: string
}

export interface Table {
  name: string
  does: 'added' | 'changed' | 'dropped'
  lines?: Line[]
  more?: number
}

// Diagram is what is drawn where there is room: the tables that differ, and
// those that they are directly related with.
export interface Diagram {
  tables: Box[]
  relations?: Relation[]
}

export interface Box {
  name: string
  was?: string
  does?: Table['does']
  columns?: Column[]
  more?: number
}

export interface Column {
  name: string
  type: string
  was?: string
  key?: boolean
  does?: Table['does']
}

export interface Relation {
  from: number // places in tables
  to: number
  does?: 'added' | 'dropped'
}

export interface Change {
  kind: 'change'
  did: 'apply_edits' | 'import' | 'undo' | 'redo'
  connection: string
  database: string
  version: string
  edits: number
  tables: Table[]
  more?: number
  diagram?: Diagram
  warnings?: string[]
  page?: string
  nonce: string
}

// Plan is what would be published.
export interface Plan {
  kind: 'plan'
  message?: string
  connection: string
  database: string
  version: string
  steps?: number
  tables: Table[]
  more?: number
  diagram?: Diagram
  warnings?: string[]
  notes?: string[]
  page?: string
}

const viewKey = 'io.github.berth-dev/view'

// shownBy is what a result shows; null: nothing beside its text.
export function shownBy(meta: Record<string, unknown> | undefined): Change | Plan | null {
  const data = meta?.[viewKey] as Change | Plan | undefined
  return data?.kind === 'change' || data?.kind === 'plan' ? data : null
}

// Reply is what the designer answers, as far as a card says it.
export interface Reply {
  success?: boolean
  message?: string
  version?: string
}

// replyOf reads a reply; null: it is none of the designer's.
export function replyOf(text: string | undefined): Reply | null {
  try {
    const read: unknown = JSON.parse(text ?? '')
    return typeof read === 'object' && read !== null ? read : null
  } catch {
    return null
  }
}

// sign says what a line does: "+" comes, "−" goes, "~" changes.
export function sign(kind: string): '+' | '−' | '~' {
  if (kind.startsWith('add_')) return '+'
  return kind.startsWith('drop_') ? '−' : '~'
}

const kinds: Record<string, string> = {
  add_column: 'column',
  drop_column: 'column',
  alter_column: 'column',
  rename_column: 'column renamed',
  rename_table: 'renamed',
  move_table: 'moved to schema',
  alter_table: 'table',
  set_primary_key: 'primary key',
  add_foreign_key: 'foreign key',
  drop_foreign_key: 'foreign key',
  alter_foreign_key: 'foreign key',
  add_index: 'index',
  drop_index: 'index',
  alter_index: 'index',
  add_check: 'check',
  drop_check: 'check',
  alter_check: 'check',
  add_type: 'type',
  drop_type: 'type',
  alter_type: 'type',
  add_table: 'columns',
  drop_table: 'columns',
  add_schema: 'schema',
}

// what names the thing that a line is about.
export const what = (kind: string): string => kinds[kind] ?? kind.replaceAll('_', ' ')

// counted is a number with its noun: "1 table", "3 tables".
export const counted = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`

const headings: Record<Change['did'], [did: string, where: string]> = {
  apply_edits: ['', 'to the design of'],
  import: ['', 'imported into the design of'],
  undo: [' undone', 'in the design of'],
  redo: [' redone', 'in the design of'],
}

// heading says what was done, and where.
export function heading(c: Change): [did: string, where: string] {
  const [did, where] = headings[c.did]
  return [counted(c.edits, c.did === 'import' ? 'file' : 'edit') + did, `${where} ${c.connection}`]
}

const settled: Record<Change['did'], string> = {
  apply_edits: 'these edits are no longer in the design.',
  import: 'what was imported is no longer in the design.',
  undo: 'the edits are in the design again.',
  redo: 'the edits are undone again.',
}

// takenBack says how the design is once the change was taken back.
export const takenBack = (c: Change): string => `Taken back: ${settled[c.did]}`

// longest is how many characters of a text are shown.
const longest = 240

// visible is a text from outside as a person can read it: not longer than a few
// lines, and without characters that hide or turn what is beside them.
export function visible(text: string): string {
  const characters = Array.from(text.slice(0, 2 * longest + 2)) // one is two of the units that slice counts, at most
  const shown = characters.slice(0, longest).map((c) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(c) ? `\\u{${c.codePointAt(0)?.toString(16)}}` : c))
  return shown.join('') + (characters.length > longest ? '…' : '')
}
