import { toast } from '../../store/toasts'
import { plural } from '../lib/text'
import type { Cell } from './rows'
import { cutIn, tabbed } from './values'

// copyText puts a text on the clipboard and says so.
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('good', said)
  } catch {
    toast('bad', 'The browser does not let this page copy.')
  }
}

// copyCells copies a rectangle as spreadsheets paste it.
export async function copyCells(rows: readonly (readonly Cell[])[]): Promise<void> {
  const cells = rows.flat()
  const cut = cutIn(cells)
  const said = `Copied ${plural(cells.length, 'value')}${cut ? `, of which ${cut.toLocaleString('en')} long ${cut === 1 ? 'one is' : 'ones are'} cut: save the rows to have all of it` : ''}.`
  await copyText(tabbed(rows), said)
}
