import type { Id } from '../api/types'
import { countOf } from '../canvas/useCopying'
import { store } from '../store/state'
import { toast } from '../store/toasts'
import { showKeys } from '../ui/shortcuts'

// Copying and pasting without the keys, for which a browser may ask.

export async function copyTables(ids: readonly Id[]): Promise<void> {
  const { design } = store.get()
  const [{ copyText }, { copied }] = await Promise.all([import('../panels/data/copy'), import('../store/copying')])
  if (design) await copyText(copied(design, ids), `Copied ${countOf(ids.length)}. Paste here or in another project.`)
}

export async function pasteHere(): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => null)
  if (text) await (await import('../canvas/adding')).paste(text)
  else toast('info', text === null ? `The browser does not let this page read what was copied: press ${showKeys('mod+v')}.` : 'Nothing was copied.')
}
