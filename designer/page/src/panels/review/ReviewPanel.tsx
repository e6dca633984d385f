import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { getHistory } from '../../api/designs'
import type { History } from '../../api/types'
import { reveal } from '../../canvas/view'
import { head } from '../../store/queue'
import { store, useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { inTextField } from '../../ui/shortcuts'
import { putReview, revertSteps, type Refused, type Verdict } from '../lib/api'
import { Failed, Loading, Note } from '../lib/parts'
import { useResource } from '../lib/resource'
import { messageOf, plural } from '../lib/text'
import { tableTitle } from '../lib/words'
import { afterVerdict, itemsOf, openCount, placeOf, withMarks, type Item, type Marks } from './review'
import { StepCard } from './StepCard'
import { readMarks, useReviewTurn } from './useReview'
import './review.css'

interface Read {
  history: History
  marks: Marks
}

// ReviewPanel steps through the agent's changes, each shown on the canvas,
// kept or reverted by a person.
export default function ReviewPanel() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const turn = useReviewTurn()
  const read = useResource(`${connection}\n${version} ${turn}`, async (): Promise<Read> => {
    const [history, marks] = await Promise.all([getHistory(connection, 200, true), readMarks(connection)])
    return { history, marks }
  }, 100)
  if (read.error) return <Failed what="The history" error={read.error} again={read.reload} />
  if (!read.data) return <Loading what="the agent’s changes" />
  return <Steps key={connection} connection={connection} read={read.data} reload={read.reload} />
}

interface StepsProps {
  connection: string
  read: Read
  reload: () => void
}

function Steps({ connection, read, reload }: StepsProps) {
  const [key, setKey] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const items = itemsOf(read.history, read.marks)
  const at = placeOf(items, key)
  const current = items[at]
  useFocusOn(current)
  const go = (to: number): void => {
    const next = items[Math.max(0, Math.min(to, items.length - 1))]
    setProblem('')
    if (next) setKey(next.key)
  }
  const mark = async (keys: string[], verdict: Verdict | null): Promise<void> => {
    const marks = withMarks(read.marks, read.history, keys, verdict)
    await putReview(connection, { marks })
  }
  const settle = async (which: Item[], verdict: Verdict): Promise<void> => {
    if (busy || which.length === 0) return
    setBusy(true)
    setProblem('')
    try {
      const refusal = verdict === 'reverted' ? await revert(connection, which) : ''
      if (refusal) setProblem(refusal)
      else {
        await mark(which.map((i) => i.key), verdict)
        const decided = items.map((i) => (which.some((w) => w.key === i.key) ? { ...i, verdict } : i))
        const next = decided[afterVerdict(decided, at)]
        if (next) setKey(next.key)
        reload()
      }
    } catch (cause) {
      toast('bad', messageOf(cause))
    } finally {
      setBusy(false)
    }
  }
  if (!current) {
    return (
      <p className="empty" data-testid="review-empty">
        The agent has changed nothing in this design. What it changes can be looked at here, step by step, and kept or reverted.
      </p>
    )
  }
  const open = openCount(items)
  return (
    <div className="pane review" data-testid="review" onKeyDown={keys({ go, at, keep: () => void settle([current], 'kept'), revert: () => void settle([current], 'reverted'), decided: current.verdict !== null })}>
      <div className="hstack spread">
        <span role="status" data-testid="review-place">
          {at + 1} of {items.length} · {open === 0 ? 'all looked at' : `${open} to look at`}
        </span>
        <span className="hstack">
          <button type="button" className="button small" disabled={at === 0} data-testid="review-previous" onClick={() => go(at - 1)}>
            Previous
          </button>
          <button type="button" className="button small" disabled={at === items.length - 1} data-testid="review-next" onClick={() => go(at + 1)}>
            Next
          </button>
        </span>
      </div>
      <StepCard key={current.key} item={current} />
      {problem && (
        <Note tone="bad" live testId="review-problem">
          {problem}
        </Note>
      )}
      <div className="review-actions">
        {current.verdict === null ? (
          <div className="hstack">
            <button type="button" className="button primary" disabled={busy} data-testid="keep" onClick={() => void settle([current], 'kept')}>
              Keep <kbd>K</kbd>
            </button>
            <button type="button" className="button" disabled={busy} data-testid="revert" onClick={() => void settle([current], 'reverted')}>
              Revert <kbd>R</kbd>
            </button>
          </div>
        ) : (
          <button type="button" className="button small" disabled={busy} data-testid="look-again" onClick={() => void mark([current.key], null).then(reload)}>
            Look at it again
          </button>
        )}
        <div className="hstack">
          {current.batch > 1 && (
            <button type="button" className="button small" disabled={busy} data-testid="revert-batch" onClick={() => void settle(items.filter((i) => i.step.batchId === current.step.batchId && i.verdict !== 'reverted'), 'reverted')}>
              Revert its whole batch
            </button>
          )}
          {open > 1 && (
            <button type="button" className="button small" disabled={busy} data-testid="keep-all" onClick={() => void settle(items.filter((i) => i.verdict === null), 'kept')}>
              Keep all {open}
            </button>
          )}
        </div>
      </div>
      <p className="quiet">
        Keys, with the focus in this panel: <kbd>N</kbd> <kbd>P</kbd> next and previous, <kbd>K</kbd> keep, <kbd>R</kbd> revert.
      </p>
    </div>
  )
}

// useFocusOn brings the tables of the step into view on the canvas.
function useFocusOn(item: Item | undefined): void {
  const shown = useRef('')
  const show = useCallback((i: Item) => {
    const tables = store.get().design?.tables
    reveal((i.step.tables ?? []).map((t) => t.id).filter((id) => tables?.has(id)))
  }, [])
  useEffect(() => {
    if (!item || shown.current === item.key) return
    shown.current = item.key
    show(item)
  }, [item, show])
}

interface Keys {
  go: (to: number) => void
  at: number
  keep: () => void
  revert: () => void
  decided: boolean
}

function keys({ go, at, keep, revert, decided }: Keys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || inTextField(event.target)) return
    const key = event.key.toLowerCase()
    if (key === 'n' || key === 'arrowright') go(at + 1)
    else if (key === 'p' || key === 'arrowleft') go(at - 1)
    else if (key === 'k' && !decided) keep()
    else if (key === 'r' && !decided) revert()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

// revert takes steps out of the design; the text is why it was not done.
async function revert(connection: string, which: Item[]): Promise<string> {
  const outcome = await revertSteps(connection, which.map((i) => i.step.step), head())
  if (outcome.success) {
    toast('info', `Reverted ${which.length === 1 ? (which[0]?.step.description ?? 'a change') : plural(which.length, 'change')}. Undo brings it back.`)
    return ''
  }
  const { conflicts } = outcome as Refused
  const defaultSchema = store.get().design?.defaultSchema ?? ''
  const what = conflicts?.map((c) => `${tableTitle(c.table, defaultSchema)}${c.part ? `, ${c.part}` : ''}`).join('; ')
  return what ? `${outcome.message} (${what})` : outcome.message
}
