import { beginDesign, getSnapshot, listDesigns, type Begun } from '../api/designs'
import { designer } from '../api/tools'
import { importText, refused } from '../panels/lib/api'
import { openDesign } from '../store/live'
import { store } from '../store/state'
import { toast } from '../store/toasts'
import { sample } from './sample'

// Beginning is what a new design begins with.
export type Beginning = 'blank' | 'sample' | 'text'

export interface Wish {
  beginning: Beginning
  name: string
  dialect: string
  text: string
}

// begin makes a design without a database, takes its tables in and opens it.
// What a text lacks is said; the design is there then, and empty.
export async function begin({ beginning, name, dialect, text }: Wish): Promise<void> {
  const source = beginning === 'sample' ? sample : beginning === 'text' ? text : ''
  const begun: Begun = await beginDesign({ name: name.trim(), dialect, text: beginning === 'text' ? text : '', dryRun: false })
  const connection = begun.connection ?? begun.name
  await designer('show', connection)
  if (source.trim() !== '') await fill(connection, source)
  store.set({ list: await listDesigns() })
  await openDesign(connection)
}

async function fill(connection: string, text: string): Promise<void> {
  const { version } = await getSnapshot(connection)
  const reply = await importText(connection, { text, format: text === sample ? 'dbml' : '', dialect: '', expectedVersion: version, dryRun: false })
  if (refused(reply)) {
    const place = reply.place?.excerpt ? `\n${reply.place.excerpt}` : ''
    toast('bad', `The design is there, and empty: ${reply.message}${place}`, { sticky: true })
    return
  }
  const said = reply.receipt.warnings
  if (said.length > 0 && text !== sample) toast('warn', `Not as it was: ${said.slice(0, 5).join('; ')}${said.length > 5 ? ` and ${said.length - 5} more` : ''}.`, { sticky: true })
}
