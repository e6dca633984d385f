import { useState } from 'react'
import { getHistory } from '../../api/designs'
import type { Outcome } from '../../api/edits'
import { designer } from '../../api/tools'
import { reveal } from '../../canvas/view'
import { whoDid } from '../../store/activity'
import { head } from '../../store/queue'
import { store, useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { Icon } from '../../ui/Icon'
import { Failed, Loading } from '../lib/parts'
import { useResource } from '../lib/resource'
import { messageOf, visible } from '../lib/text'
import { kept, shown } from './happened'
import { batchesOf, tablesOf, titleOfBatch, type Batch } from './history'

// HistoryList shows the stacks of undo and redo around the design as it is
// now, and goes to any place in them.
export function HistoryList() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const undoSteps = useStore((s) => s.confirmed?.undoSteps ?? 0)
  const [busy, setBusy] = useState(false)
  const [all, setAll] = useState(false)
  const history = useResource(`${connection}\n${version}\n${all}`, () => (all ? getHistory(connection, kept) : getHistory(connection, shown, true)), 100)
  if (history.error) return <Failed what="The history" error={history.error} again={history.reload} />
  if (!history.data) return <Loading what="the history" />
  const move = async (operation: 'undo' | 'redo', steps: number): Promise<void> => {
    setBusy(true)
    try {
      const outcome = await designer<Outcome>(operation, connection, { payload: { expectedVersion: head(), steps } })
      if (!outcome.success) toast('warn', outcome.message)
    } catch (cause) {
      toast('bad', messageOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const undo = batchesOf(history.data.undo)
  const redo = batchesOf(history.data.redo).reverse() // the farthest on top
  if (undo.length + redo.length === 0) return <p className="quiet">There is no history yet: the design is as it was read from the database.</p>
  return (
    <ol className="plain-list history" data-testid="history">
      {redo.map((b) => (
        <Entry key={b.key} batch={b} operation="redo" busy={busy} onMove={move} />
      ))}
      <li className="history-now" aria-current="true">
        Now
      </li>
      {undo.map((b) => (
        <Entry key={b.key} batch={b} operation="undo" busy={busy} onMove={move} />
      ))}
      {undoSteps > history.data.undo.length && (
        <li className="quiet">
          … and {undoSteps - history.data.undo.length} older steps.{' '}
          <button type="button" className="button link" data-testid="history-all" onClick={() => setAll(true)}>
            Show all
          </button>
        </li>
      )}
    </ol>
  )
}

interface EntryProps {
  batch: Batch
  operation: 'undo' | 'redo'
  busy: boolean
  onMove: (operation: 'undo' | 'redo', steps: number) => Promise<void>
}

function Entry({ batch, operation, busy, onMove }: EntryProps) {
  const title = titleOfBatch(batch)
  const show = (): void => {
    const there = store.get().design?.tables
    reveal(tablesOf(batch).filter((id) => there?.has(id)))
  }
  const label = operation === 'undo' ? 'Undo down to and with this' : 'Redo up to and with this'
  return (
    <li className={`history-entry ${operation}`} data-testid={`history-${operation}`}>
      <div className="history-head">
        <span className={`who who-${batch.origin}`}>{visible(whoDid(batch.origin, batch.steps[0]?.client, batch.steps[0]?.author))}</span>
        <time className="quiet" dateTime={batch.at}>
          {new Date(batch.at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}
        </time>
      </div>
      {batch.steps.length === 1 ? (
        <p>{title}</p>
      ) : (
        <details>
          <summary>{title}</summary>
          <ul>
            {batch.steps.map((s) => (
              <li key={s.step}>{s.description}</li>
            ))}
          </ul>
        </details>
      )}
      <div className="history-tools">
        {tablesOf(batch).length > 0 && (
          <button type="button" className="icon-button" aria-label={`Show on the canvas: ${title}`} title="Show on the canvas" onClick={show}>
            <Icon name="fit" />
          </button>
        )}
        <button type="button" className="icon-button" aria-label={`${label}: ${title}`} title={label} disabled={busy} data-testid={`${operation}-to`} onClick={() => void onMove(operation, batch.reach)}>
          <Icon name={operation} />
        </button>
      </div>
    </li>
  )
}
