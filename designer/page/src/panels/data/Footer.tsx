import { useState } from 'react'
import { messageOf, plural } from '../lib/text'
import { countRows, type RowsRequest } from './api'

interface FooterProps {
  connection: string
  request: RowsRequest
  of: string // what is counted
  shown: { offset: number; rows: number; more: boolean }
  unordered: boolean
  busy: boolean
  first: boolean // there is no page before
  onRefresh: () => void
  onPrevious: () => void
  onNext: () => void
}

// Footer says which rows are shown and leads to others.
export function Footer({ connection, request, of, shown, unordered, busy, first, onRefresh, onPrevious, onNext }: FooterProps) {
  const { offset, rows, more } = shown
  return (
    <div className="hstack spread">
      <span className="hstack">
        <span className="quiet" role="status" data-testid="data-range">
          {rows === 0 ? 'No rows' : `Rows ${(offset + 1).toLocaleString('en')} to ${(offset + rows).toLocaleString('en')}${more ? '' : ', the last'}`}
          {unordered && rows > 0 && ' (in no order: the table has no key)'}
        </span>
        {more && <Count key={of} connection={connection} request={request} />}
      </span>
      <span className="hstack">
        <button type="button" className="button small" disabled={busy} onClick={onRefresh}>
          Refresh
        </button>
        <button type="button" className="button small" disabled={first || busy} data-testid="data-previous" onClick={onPrevious}>
          Previous
        </button>
        <button type="button" className="button small" disabled={!more || busy} data-testid="data-next" onClick={onNext}>
          Next
        </button>
      </span>
    </div>
  )
}

// Count counts the rows when it is asked to: that may read all of them.
function Count({ connection, request }: { connection: string; request: RowsRequest }) {
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const count = async (): Promise<void> => {
    setBusy(true)
    try {
      const { rows, elapsedMs } = await countRows(connection, request)
      const seconds = Math.max(1, Math.round(elapsedMs / 1000))
      setSaid(rows === null ? `Not counted: given up after ${plural(seconds, 'second')}` : `${plural(rows, 'row')} in all`)
    } catch (cause) {
      setSaid(`Not counted: ${messageOf(cause)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" className="button link" disabled={busy} data-testid="data-count" onClick={() => void count()}>
        {busy ? 'Counting …' : said ? 'Count again' : 'Count them'}
      </button>
      <span className="quiet" role="status" data-testid="data-counted">
        {said}
      </span>
    </>
  )
}
