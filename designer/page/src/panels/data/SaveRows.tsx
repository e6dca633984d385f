import { useState } from 'react'
import { toast } from '../../store/toasts'
import { fileName, save } from '../lib/download'
import { messageOf, plural } from '../lib/text'
import { saveRows, type RowsRequest, type SaveFormat } from './api'

interface SaveRowsProps {
  connection: string
  request: RowsRequest
  name: string // of the table
}

// SaveRows saves all rows that are filtered, in the order that they have here.
export function SaveRows({ connection, request, name }: SaveRowsProps) {
  const [busy, setBusy] = useState<SaveFormat | null>(null)
  const run = async (format: SaveFormat): Promise<void> => {
    setBusy(format)
    try {
      const { file, rows, limit } = await saveRows(connection, request, format)
      save(fileName(name, format), file)
      if (limit) toast('bad', `There are more rows: the file ends at its limit of ${limit}. Filter, and save the rest apart.`)
      else toast('good', `Saved ${plural(rows, 'row')}.`)
    } catch (cause) {
      toast('bad', `Nothing was saved: ${messageOf(cause)}`)
    } finally {
      setBusy(null)
    }
  }
  return (['csv', 'json'] as const).map((format) => (
    <button key={format} type="button" className="button small" disabled={busy !== null} title="Saves all rows that are filtered, 200,000 at most" data-testid={`data-save-${format}`} onClick={() => void run(format)}>
      {busy === format ? 'Saving …' : `Save ${format.toUpperCase()}`}
    </button>
  ))
}
