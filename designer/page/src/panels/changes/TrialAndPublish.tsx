import { useState } from 'react'
import { shallow } from '../../store/store'
import { useStore } from '../../store/state'
import type { Plan } from '../lib/api'
import { Note } from '../lib/parts'
import { messageOf, plural } from '../lib/text'
import { begin, type Reply } from './operations'
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
  const unsent = useStore((s) => s.pending.length > 0)
  const designs = useStore((s) => s.design?.server === 'design')
  const others = useStore((s) => s.list.connections.filter((c) => c.id !== connection).map((c) => `${c.id}\n${c.name}`), shallow)
  const [chosen, setChosen] = useState('')
  const to = designs ? chosen || (others[0]?.split('\n')[0] ?? '') : ''
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
        {designs && others.length > 0 && (
          <label className="hstack">
            To
            <select value={to} data-testid="publish-to" onChange={(e) => setChosen(e.target.value)}>
              {others.map((other) => {
                const [id = '', name = ''] = other.split('\n')
                return (
                  <option key={id} value={id}>
                    {name}
                  </option>
                )
              })}
            </select>
          </label>
        )}
        {designs && others.length === 0 ? (
          <span className="quiet" data-testid="publish-nowhere">
            To publish it, name a database: <code>berth connect app.db</code>, or a URL. As a file: <em>Export</em>, SQL.
          </span>
        ) : (
          <button type="button" className="button primary" disabled={unsent} data-testid="publish" onClick={() => onPublish(plan.version, to)}>
            {plan.from > 0 ? 'Go on publishing …' : 'Publish …'}
          </button>
        )}
        <span className="quiet">{plural(steps, 'statement')}. You are asked before anything runs.</span>
      </div>
    </div>
  )
}
