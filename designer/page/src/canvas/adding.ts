import type { Edit } from '../api/edits'
import type { Id } from '../api/types'
import { dialects } from '../panels/transfer/formats'
import { openPanel } from '../store/actions'
import { editsOf } from '../store/copying'
import { findTable, type Design } from '../store/design'
import { linkOf } from '../store/linking'
import { pasted, read } from '../store/pasting'
import { edit } from '../store/queue'
import { store } from '../store/state'
import { undoOf } from '../store/steps'
import { toast } from '../store/toasts'
import { reveal } from './view'

// paste adds what was copied from a design, all or nothing, and selects it. Any
// other text is for Import, which is where it is said.
export async function paste(text: string): Promise<void> {
  const { design } = store.get()
  const got = read(text)
  if (!design) return
  if (!got) return void toast('info', 'No tables were copied from a design. To take in SQL, DBML or a Prisma schema, paste it into Import.', { action: { label: 'Import', run: () => openPanel('transfer') } })
  if (got.dialect !== design.dialect) return void toast('warn', `These tables are of ${titleOf(got.dialect)}, and this is a design of ${titleOf(design.dialect)}. Export them as SQL and import that here: Import changes the types.`, { sticky: true })
  await put(design, got.edits)
}

const titleOf = (dialect: string): string => dialects.find(([id]) => id === dialect)?.[1] ?? 'another kind of database'

// duplicate adds a table again under another name, with its keys, indexes and
// checks.
export async function duplicate(table: Id): Promise<void> {
  const { design } = store.get()
  if (design) await put(design, editsOf(design, [table]))
}

// link makes a many-to-many relation of two tables.
export async function link(ids: readonly Id[]): Promise<void> {
  const { design } = store.get()
  const [one, other] = ids.map((id) => design?.tables.get(id))
  if (!design || !one || !other) return
  const made = linkOf(design, one, other)
  if (typeof made === 'string') return void toast('warn', made)
  await make(made.edits, [made])
}

async function put(design: Design, wanted: readonly Edit[]): Promise<void> {
  const { edits, tables, leftOut } = pasted(design, wanted)
  if (edits.length === 0) return
  if (!(await make(edits, tables))) return
  if (leftOut.length > 0) toast('warn', `Without ${leftOut.length === 1 ? 'the foreign key' : 'the foreign keys'} ${leftOut.join(', ')}: that table is not here.`, { sticky: true })
}

// make makes edits and selects the tables that they add. It reports whether they
// were made.
async function make(edits: Edit[], tables: readonly { schema: string; name: string }[]): Promise<boolean> {
  const outcome = await edit(edits)
  if (!outcome.success) {
    toast('bad', outcome.message)
    return false
  }
  const now = store.get().design
  reveal(tables.flatMap((t) => (now && findTable(now, t.schema, t.name)?.id) ?? []))
  const names = tables.slice(0, 3).map((t) => t.name).join(', ')
  const more = tables.length > 3 ? ` and ${tables.length - 3} more` : ''
  toast('good', `Added ${names}${more}.`, undoOf(outcome.version))
  return true
}
