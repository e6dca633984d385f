import { useMemo, useRef, useState } from 'react'
import { Plain } from '../lib/Code'
import { Note } from '../lib/parts'
import { messageOf, plural } from '../lib/text'
import { planOf, runQuery, type Answer } from './ask'
import { namesOf } from './complete'
import { Grid } from './Grid'
import { pastOf, remember } from './past'
import type { Known } from './relations'
import type { Selection } from './selection'
import { SqlBox } from './SqlBox'
import { Value } from './Value'

type Outcome = { kind: 'rows'; answer: Answer } | { kind: 'plan'; plan: string } | { kind: 'failed'; why: string }

// Sql runs a person's own query, which reads only, or shows its plan.
export function Sql({ connection, known }: { connection: string; known: Known }) {
  const [text, setText] = useState(() => pastOf(connection)[0] ?? '')
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const running = useRef<AbortController | null>(null)
  const names = useMemo(() => namesOf(known), [known])
  const run = async (what: (query: string, connection: string, signal: AbortSignal) => Promise<Outcome>): Promise<void> => {
    if (text.trim() === '' || busy) return
    const stop = new AbortController()
    running.current = stop
    setBusy(true)
    remember(connection, text)
    try {
      setOutcome(await what(text, known.design.name, stop.signal))
    } catch (cause) {
      setOutcome({ kind: 'failed', why: stop.signal.aborted ? 'it was stopped' : messageOf(cause) })
    } finally {
      setBusy(false)
    }
  }
  const rows = (): void => void run(async (...asked) => ({ kind: 'rows', answer: await runQuery(...asked) }))
  const plan = (): void => void run(async (...asked) => ({ kind: 'plan', plan: await planOf(...asked) }))
  return (
    <>
      <div className="hstack">
        <button type="button" className="button primary" disabled={busy || text.trim() === ''} title="Ctrl+Enter" data-testid="sql-run" onClick={rows}>
          Run
        </button>
        <button type="button" className="button" disabled={busy || text.trim() === ''} data-testid="sql-plan" onClick={plan}>
          Plan
        </button>
        {busy && (
          <button type="button" className="button" data-testid="sql-stop" onClick={() => running.current?.abort()}>
            Stop
          </button>
        )}
        <Past connection={connection} onChoose={setText} />
      </div>
      <SqlBox text={text} names={names} onText={setText} onRun={rows} />
      <div className="outcome" role="status" data-testid="sql-outcome">
        {outcome?.kind === 'failed' && (
          <Note tone="bad" testId="sql-failed">
            {outcome.why}
          </Note>
        )}
        {outcome?.kind === 'plan' && <Plain code={outcome.plan} label="Plan" />}
      </div>
      {outcome?.kind === 'rows' && <Answered connection={connection} answer={outcome.answer} busy={busy} dialect={known.design.dialect} />}
    </>
  )
}

// Past offers the queries that were run in this tab.
function Past({ connection, onChoose }: { connection: string; onChoose: (query: string) => void }) {
  const past = pastOf(connection)
  if (past.length === 0) return null
  return (
    <select className="past" aria-label="Queries of before" value="" data-testid="sql-past" onChange={(e) => onChoose(past[Number(e.target.value)] ?? '')}>
      <option value="">History</option>
      {past.map((q, i) => (
        <option key={q} value={i}>
          {q.length > 80 ? `${q.slice(0, 80)}…` : q}
        </option>
      ))}
    </select>
  )
}

interface AnsweredProps {
  connection: string
  answer: Answer
  busy: boolean
  dialect: string
}

const nowhere = { table: { schema: '', name: '' }, order: [] }

function Answered({ connection, answer, busy, dialect }: AnsweredProps) {
  const { columns, rows, truncated, ms } = answer
  const [chosen, setChosen] = useState<{ on: Answer; selection: Selection } | null>(null)
  const selection = chosen?.on === answer ? chosen.selection : null
  const cells = selection && rows[selection.to.row]
  return (
    <>
      <Grid columns={columns} rows={rows} first={1} busy={busy} sort={null} selection={selection} onSelect={(next) => setChosen({ on: answer, selection: next })} />
      {selection && cells && <Value connection={connection} source={nowhere} rows={rows} row={{ columns, cells }} selection={selection} to={[]} from={[]} dialect={dialect} onClose={() => setChosen(null)} />}
      <span className="quiet" role="status" data-testid="sql-range">
        {plural(rows.length, 'row')} in {ms.toLocaleString('en')} ms{truncated && '. There are more: the answer ends at the limit of the project’s settings.'}
      </span>
    </>
  )
}
