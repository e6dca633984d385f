import { refused, type Plan } from '../lib/api'
import { Sql } from '../lib/Code'
import { Note } from '../lib/parts'
import { plural } from '../lib/text'
import { say, tableTitle } from '../lib/words'
import type { Reply } from './operations'
import { PlanSteps } from './PlanSteps'

interface ReportProps {
  reply: Reply
  plan: Plan | null
  dialect: string
}

// Report says what became of a publish or a trial: what was made, and what
// was not.
export function Report({ reply, plan, dialect }: ReportProps) {
  if (refused(reply)) {
    const step = reply.failedStep
    return (
      <div className="publish" data-testid="report-failed">
        <Note tone="bad" live>
          <p>{reply.message}</p>
          {step && (
            <p>
              Statement {step.step} was refused. {step.appliedSteps === 0 ? 'None of the plan is in force.' : `${plural(step.appliedSteps, 'statement')} before it ${step.appliedSteps === 1 ? 'is' : 'are'} in force.`}
            </p>
          )}
        </Note>
        {step && <Sql code={step.statement} dialect={dialect} label="The statement that was refused" />}
        {plan && step && <PlanSteps steps={plan.steps} from={step.appliedSteps} dialect={dialect} />}
      </div>
    )
  }
  const left = reply.left ?? []
  return (
    <div className="publish" data-testid="report-done">
      <Note tone={left.length > 0 ? 'warn' : 'good'} live>
        <p>{sentence(reply.message ?? 'done')}</p>
        {reply.steps !== undefined && <p>{plural(reply.steps, 'statement')}.</p>}
        {left.length > 0 && (
          <ul>
            {left.map((item, i) => (
              <li key={i}>
                {tableTitle(item.table, '')}: {say(item)}
              </li>
            ))}
          </ul>
        )}
      </Note>
      {reply.notes?.map((note) => (
        <Note key={note} tone="info">
          {note}
        </Note>
      ))}
    </div>
  )
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.')
}
