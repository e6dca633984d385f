import { useState } from 'react'
import { useStore } from '../../store/state'
import type { Plan } from '../lib/api'
import { Note } from '../lib/parts'
import { messageOf, plural } from '../lib/text'
import { begin, type Reply } from './operations'
import { Report } from './Report'

interface TrialProps {
  plan: Plan
  connection: string
  onPublish: (version: string) => void
}

// TrialAndPublish tries the plan where it leaves no trace, and opens the way
// to publishing it.
export function TrialAndPublish({ plan, connection, onPublish }: TrialProps) {
  const dialect = useStore((s) => s.design?.dialect ?? '')
  const unsent = useStore((s) => s.pending.length > 0)
  const [trial, setTrial] = useState<Reply | null>(null)
  const [trying, setTrying] = useState(false)
  const [error, setError] = useState('')
  const steps = plan.steps.length - plan.from
  const blocked = (plan.conflicts?.length ?? 0) > 0
  const nothing = plan.changes.length === 0 && plan.from === 0
  if (nothing || blocked) return null
  const verify = async (): Promise<void> => {
    setTrying(true)
    setError('')
    try {
      const answer = await begin({ operation: 'verify', connectionId: connection, payload: {} })
      if ('reply' in answer) setTrial(answer.reply)
    } catch (cause) {
      setError(messageOf(cause))
    } finally {
      setTrying(false)
    }
  }
  return (
    <div className="publish-bar">
      {error && (
        <Note tone="bad" live>
          The trial could not be made: {error}
        </Note>
      )}
      {trial && <Report reply={trial} plan={null} dialect={dialect} />}
      <div className="hstack">
        <button type="button" className="button" disabled={trying} data-testid="verify" onClick={() => void verify()}>
          {trying ? 'Trying …' : 'Verify'}
        </button>
        <button type="button" className="button primary" disabled={unsent} data-testid="publish" onClick={() => onPublish(plan.version)}>
          {plan.from > 0 ? 'Go on publishing …' : 'Publish …'}
        </button>
        <span className="quiet">{plural(steps, 'statement')}. You are asked before anything runs.</span>
      </div>
    </div>
  )
}
