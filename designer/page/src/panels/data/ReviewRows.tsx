import { useMemo, useState } from 'react'
import type { TableName } from '../../api/types'
import { toast } from '../../store/toasts'
import { Dialog } from '../../ui/Dialog'
import { Icon } from '../../ui/Icon'
import { Sql } from '../lib/Code'
import { Loading, Note } from '../lib/parts'
import { useResource } from '../lib/resource'
import { messageOf, plural, visible } from '../lib/text'
import { reviewRows, runRows, type Outcome, type Reviewed } from './changing'
import { Conflict } from './Conflict'
import { changesOf, ordered, type Edit, type Values } from './edits'

export interface ReviewRowsProps {
  connection: string
  dialect: string
  table: TableName
  edits: readonly Edit[]
  cascades: readonly string[] // tables whose rows go with those that are deleted
  onTake: (id: string) => void // a change back
  onRebase: (edit: Edit, row: Values) => void // a change onto the row as it is now
  onDone: () => void
  onReload: () => void // the rows may be others
  onClose: () => void
}

const nothing: Reviewed = { statements: [], seal: '', database: '' }

// ReviewRows shows the statements that will run, and runs them once the person
// has confirmed them.
export function ReviewRows(props: ReviewRowsProps) {
  const { connection, table, onDone, onReload, onClose } = props
  const edits = useMemo(() => ordered(props.edits), [props.edits])
  const changes = changesOf(table, edits)
  const of = JSON.stringify(changes)
  const review = useResource(`${connection} ${of}`, () => (edits.length > 0 ? reviewRows(connection, changes) : Promise.resolve(nothing)))
  const [ran, setRan] = useState<{ of: string; outcome: Outcome; error: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const last = ran?.of === of ? ran : null
  const ready = review.data !== null && !review.loading && !review.error && !busy && !last?.outcome.unknown
  const run = async ({ seal }: Reviewed): Promise<void> => {
    setBusy(true)
    setRan(null)
    try {
      const outcome = await runRows(connection, changes, seal)
      if (outcome.done === undefined) {
        setRan({ of, outcome, error: '' })
        onReload()
        return
      }
      toast('good', `${plural(outcome.done, 'row')} changed.`)
      onDone()
      onClose()
    } catch (cause) {
      setRan({ of, outcome: {}, error: messageOf(cause) })
    } finally {
      setBusy(false)
    }
  }
  const where = review.data ? [review.data.database, review.data.server].filter(Boolean).join(' on ') : ''
  return (
    <Dialog title={`Change ${plural(edits.length, 'row')} of ${visible(table.name)}`} onClose={() => !busy && onClose()} testId="rows-dialog" wide>
      {edits.length === 0 && <p className="empty">There is nothing left to change.</p>}
      {edits.length > 0 && review.error && (
        <Note tone="bad" live testId="rows-refused">
          <p>These changes cannot be made: {visible(review.error)}</p>
          <button type="button" className="button small" onClick={review.reload}>
            Try again
          </button>
        </Note>
      )}
      {edits.length > 0 && !review.data && !review.error && <Loading what="the statements" />}
      {last && <Ended {...props} last={last} edits={edits} />}
      {edits.length > 0 && (
        <>
          {where && <p className="quiet review-where">These run on {visible(where)}, all or none. Each changes exactly one row, and only if it still is what you saw.</p>}
          {props.cascades.length > 0 && edits.some((e) => e.kind === 'delete') && (
            <Note tone="warn" testId="rows-cascade">
              What refers to a deleted row in {visible(props.cascades.join(', '))} is deleted with it (ON DELETE CASCADE).
            </Note>
          )}
          <ol className="statements">
            {edits.map((edit, i) => (
              <li key={edit.id} className={last?.outcome.refused?.change === i ? 'refused' : ''}>
                <Statement {...props} edit={edit} shown={review.loading ? undefined : review.data?.statements[i]} label={`Change ${i + 1}`} busy={busy} />
              </li>
            ))}
          </ol>
        </>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" disabled={busy} onClick={onClose}>
          {edits.length > 0 ? 'Not now' : 'Close'}
        </button>
        {edits.length > 0 && (
          <button type="button" className="button primary" disabled={!ready} data-testid="rows-run" onClick={() => review.data && void run(review.data)}>
            {busy ? 'Running …' : `Run ${plural(edits.length, 'statement')}`}
          </button>
        )}
      </div>
    </Dialog>
  )
}

interface StatementProps extends ReviewRowsProps {
  edit: Edit
  shown: Reviewed['statements'][number] | undefined
  label: string
  busy: boolean
}

function Statement({ edit, shown, label, dialect, busy, onTake }: StatementProps) {
  return (
    <>
      <div className="hstack spread">
        <strong>{label}</strong>
        <button type="button" className="button small" disabled={busy} aria-label={`Take back ${label.toLowerCase()}`} data-testid="row-take" onClick={() => onTake(edit.id)}>
          <Icon name="undo" /> Take back
        </button>
      </div>
      {shown && <Sql code={shown.sql} dialect={dialect} label={label} />}
      {shown?.notCompared && <p className="quiet">Not compared with what you saw: {visible(shown.notCompared.join(', '))}</p>}
    </>
  )
}

// Ended says why nothing was changed.
function Ended({ last, edits, onTake, onRebase }: ReviewRowsProps & { last: { outcome: Outcome; error: string }; edits: readonly Edit[] }) {
  const { outcome, error } = last
  if (outcome.unknown) {
    return (
      <Note tone="bad" live testId="rows-failed">
        It is not known whether the rows were changed: {outcome.unknown}. Close this and look at them before you run anything again.
      </Note>
    )
  }
  const refused = outcome.refused
  const edit = refused && edits[refused.change]
  return (
    <Note tone="bad" live testId="rows-failed">
      <p>
        Nothing was changed. {refused && edit ? `Change ${refused.change + 1}: ` : ''}
        {visible(refused?.why ?? error)}
      </p>
      {refused?.now && edit && <Conflict now={refused.now} edit={edit} onTake={onTake} onRebase={onRebase} />}
    </Note>
  )
}
