import { useState } from 'react'
import { useStore } from '../../store/state'
import type { Plan } from '../lib/api'
import { Note } from '../lib/parts'
import { messageOf, plural } from '../lib/text'
import { toast } from '../../store/toasts'
import { begin, makeFile, type Reply } from './operations'
import { PublishTarget, useTargets, type PublishTo } from './PublishTarget'
import { Report } from './Report'

interface TrialProps {
  plan: Plan
  connection: string
  onPublish: (version: string, to: string) => void
}

// TrialAndPublish tries the plan where it leaves no trace, and opens the way
// to publishing it.
export function TrialAndPublish({ plan, connection, onPublish }: TrialProps) {
  const dialect = useStore((s) => s.design?.dialect ?? '')
  const title = useStore((s) => s.dialect?.title ?? 'its dialect')
  const unsent = useStore((s) => s.pending.length > 0)
  const targets = useTargets(connection)
  const [chosen, setChosen] = useState<PublishTo | null>(null)
  const first = targets?.others[0]?.split('\n')[0] ?? ''
  const target = targets ? (chosen ?? { to: first, file: first === '' && targets.file ? 'app.db' : null }) : { to: '', file: null }
  const [making, setMaking] = useState(false)
  const [unmade, setUnmade] = useState('')
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
  const publish = async ({ to, file }: PublishTo): Promise<void> => {
    if (file === null) {
      onPublish(plan.version, to)
      return
    }
    setMaking(true)
    setUnmade('')
    try {
      const made = await makeFile(connection, file)
      const named = made.written ? `, and is called ${made.name} in ${made.file}` : `: ${made.name} of the settings`
      toast('info', `${made.path} was made, empty${named}.`, { sticky: true })
      setChosen({ to: made.connection, file: null })
      onPublish(plan.version, made.connection)
    } catch (cause) {
      setUnmade(messageOf(cause))
    } finally {
      setMaking(false)
    }
  }
  return (
    <div className="publish-bar">
      {error && (
        <Note tone="bad" live>
          The trial could not be made: {error}
        </Note>
      )}
      {unmade && (
        <Note tone="bad" live testId="publish-file-refused">
          Nothing was published: {unmade}
        </Note>
      )}
      {trial && <Report reply={trial} plan={null} dialect={dialect} />}
      <div className="hstack">
        <button type="button" className="button" disabled={trying} data-testid="verify" onClick={() => void verify()}>
          {trying ? 'Trying …' : 'Verify'}
        </button>
        {targets && (targets.others.length > 0 || targets.file) && <PublishTarget targets={targets} target={target} onChange={setChosen} />}
        {targets && target.to === '' && target.file === null ? (
          <span className="quiet" data-testid="publish-nowhere">
            To publish it, name a database of {title}: <code>berth connect ADDRESS</code>. As a file: <em>Export</em>, SQL.
          </span>
        ) : (
          <button type="button" className="button primary" disabled={unsent || making || target.file?.trim() === ''} data-testid="publish" onClick={() => void publish(target)}>
            {plan.from > 0 ? 'Go on publishing …' : 'Publish …'}
          </button>
        )}
        <span className="quiet">{plural(steps, 'statement')}. You are asked before anything runs.</span>
      </div>
    </div>
  )
}
