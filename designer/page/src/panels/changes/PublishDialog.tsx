import { useEffect, useId, useRef, useState } from 'react'
import { useStore } from '../../store/state'
import { Dialog } from '../../ui/Dialog'
import type { Plan, Risk } from '../lib/api'
import { Note, Risks } from '../lib/parts'
import { messageOf, plural, visible } from '../lib/text'
import { accept, nameIn, prepare, publishing, type Stage } from './operations'
import { PlanSteps } from './PlanSteps'
import { Report } from './Report'

interface PublishDialogProps {
  connection: string
  version: string
  to: string // of a design without a database: the connection it is published to
  onClose: () => void
}

// PublishDialog has the plan tried, shows exactly what would run, and runs it
// once the person has pressed the button or, where data is lost, has typed the
// database's name.
export function PublishDialog({ connection, version, to, onClose }: PublishDialogProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'checking' })
  const abort = useRef<AbortController | null>(null)
  useEffect(() => {
    const own = (abort.current = new AbortController())
    prepare(connection, version, to, own.signal).then(
      (next) => {
        if (!own.signal.aborted) setStage(next)
      },
      (cause: unknown) => {
        if (!own.signal.aborted) setStage({ kind: 'lost', why: messageOf(cause), running: false })
      },
    )
    return () => own.abort()
  }, [connection, version, to])
  const run = async (ask: Extract<Stage, { kind: 'ask' }>, typed: string): Promise<void> => {
    const { plan } = ask
    setStage({ kind: 'running', plan, done: plan.from, total: plan.steps.length })
    try {
      const progress = (done: number, total: number): void => setStage({ kind: 'running', plan, done, total })
      setStage({ kind: 'ended', plan, reply: await accept(publishing(connection, version, to), ask.question, typed, progress, abort.current?.signal) })
    } catch (cause) {
      setStage({ kind: 'lost', why: messageOf(cause), running: true })
    }
  }
  const running = stage.kind === 'running'
  return (
    <Dialog title={running ? 'Publishing …' : 'Publish to the database'} wide testId="publish-dialog" onClose={running ? () => undefined : onClose}>
      <Body stage={stage} run={run} onClose={onClose} />
    </Dialog>
  )
}

interface BodyProps {
  stage: Stage
  run: (ask: Extract<Stage, { kind: 'ask' }>, typed: string) => Promise<void>
  onClose: () => void
}

function Body({ stage, run, onClose }: BodyProps) {
  const dialect = useStore((s) => s.design?.dialect ?? '')
  switch (stage.kind) {
    case 'checking':
      return <p role="status">The plan is tried where it leaves no trace. Nothing has been changed …</p>
    case 'ask':
      return <Ask ask={stage} dialect={dialect} run={run} onClose={onClose} />
    case 'running':
      return (
        <div className="publish">
          <label className="labelled">
            <span role="status">
              Statement {Math.min(stage.done + 1, stage.total)} of {stage.total}
            </span>
            <progress value={stage.done} max={Math.max(stage.total, 1)} data-testid="publish-progress" />
          </label>
          <PlanSteps steps={stage.plan.steps} from={stage.plan.from} done={stage.done} dialect={dialect} />
        </div>
      )
    case 'lost':
      return (
        <div className="publish">
          <Note tone="bad" live>
            {stage.running ? 'The connection ended while publishing, and what became of the database is not known here. Close this and look at the changes: they are read from the database anew.' : 'Nothing was published.'} ({stage.why})
          </Note>
          <CloseButton onClose={onClose} />
        </div>
      )
    case 'ended':
      return (
        <div className="publish">
          <Report reply={stage.reply} plan={stage.plan} dialect={dialect} />
          <CloseButton onClose={onClose} />
        </div>
      )
  }
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <div className="dialog-actions">
      <button type="button" className="button primary" autoFocus data-testid="publish-close" onClick={onClose}>
        Close
      </button>
    </div>
  )
}

interface AskProps extends Omit<BodyProps, 'stage'> {
  ask: Extract<Stage, { kind: 'ask' }>
  dialect: string
}

function Ask({ ask, dialect, run, onClose }: AskProps) {
  const database = useStore((s) => ask.target?.database ?? s.design?.database ?? '')
  const server = useStore((s) => ask.target?.server ?? s.design?.server ?? '')
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const hint = useId()
  const { plan } = ask
  const { steps } = plan
  const name = nameIn(ask.question)
  const right = typed.trim() === name
  return (
    <form
      className="publish"
      onSubmit={(event) => {
        event.preventDefault()
        if (!right || busy) return
        setBusy(true)
        void run(ask, typed)
      }}
    >
      <p data-testid="publish-target">
        {plan.from > 0 ? 'This goes on with an interrupted publish: it' : 'This'} runs <strong>{plural(steps.length - plan.from, 'statement')}</strong> on the database <strong>{database}</strong>
        {server && server !== 'sqlite' && <> on {server}</>}. The trial accepted {plan.from > 0 ? 'nothing yet: the rest of a plan cannot be tried by itself' : 'the plan'}.
      </p>
      <RiskSummary plan={plan} />
      {plan.notes?.map((note) => (
        <Note key={note} tone="info">
          {note}
        </Note>
      ))}
      <PlanSteps steps={steps} from={plan.from} dialect={dialect} />
      {name !== '' && (
        <label className="labelled">
          <span id={hint}>
            Data is lost. Type <code>{visible(name)}</code> to confirm
          </span>
          <input type="text" value={typed} autoComplete="off" autoCapitalize="off" spellCheck={false} aria-describedby={hint} data-testid="publish-confirm" onChange={(e) => setTyped(e.target.value)} />
        </label>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button danger" disabled={!right || busy} data-testid="publish-run">
          Publish to {database}
        </button>
      </div>
    </form>
  )
}

// RiskSummary says what the plan may cost, and what happens if a step fails.
function RiskSummary({ plan }: { plan: Plan }) {
  const risks = [...new Set(plan.steps.slice(plan.from).flatMap((s) => s.risks ?? []))]
  const grave: Risk[] = risks.filter((r) => r === 'data_loss')
  return (
    <>
      {grave.length > 0 && (
        <Note tone="bad" testId="publish-data-loss">
          Data is lost: rows, or parts of values, are gone afterwards. The steps that do so are marked.
        </Note>
      )}
      {risks.length > 0 && (
        <p className="hstack">
          <span className="quiet">Risks:</span> <Risks risks={risks} />
        </p>
      )}
      <p className="quiet">
        {plan.transactional
          ? 'All of it runs in one transaction: if a statement fails, nothing is changed.'
          : 'This database makes each statement for itself: if one fails, those before it stay, and publishing can go on from there.'}
      </p>
    </>
  )
}
