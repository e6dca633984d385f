import type { Step } from '../lib/api'
import { Sql } from '../lib/Code'
import { Risks } from '../lib/parts'

interface PlanStepsProps {
  steps: readonly Step[]
  from: number // steps that are made already
  dialect: string
  done?: number // of those that run now
}

// PlanSteps lists the statements of a plan in the order in which they run.
export function PlanSteps({ steps, from, dialect, done }: PlanStepsProps) {
  const made = done ?? from
  return (
    <ol className="plain-list steps" data-testid="plan-steps">
      {steps.map((step, i) => (
        <li key={i} className={i < made ? 'made' : ''}>
          <details>
            <summary>
              <span className="step-no">{i + 1}</span>
              <span className="step-what">{step.comment}</span>
              {i < made && <span className="step-made">made</span>}
              <Risks risks={step.risks} />
            </summary>
            <Sql code={step.statement} dialect={dialect} label={`Statement ${i + 1}`} />
            {step.reverse && (
              <>
                <p className="quiet">What takes it back:</p>
                <Sql code={step.reverse} dialect={dialect} label={`Reverse of statement ${i + 1}`} />
              </>
            )}
          </details>
        </li>
      ))}
    </ol>
  )
}
