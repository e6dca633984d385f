import { useState } from 'react'
import { getHistory } from '../../api/designs'
import { step } from '../../store/steps'
import { head } from '../../store/queue'
import { useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { revertSteps } from '../lib/api'
import { useResource } from '../lib/resource'
import { messageOf, plural } from '../lib/text'
import { agentBatch } from './history'

// AgentBatch takes back all of the agent's last call: by undo where nothing
// came after it, else by taking its steps out of the design.
export function AgentBatch() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const [busy, setBusy] = useState(false)
  const history = useResource(`${connection}\n${version}`, () => getHistory(connection, 100), 100)
  const last = history.data && agentBatch(history.data)
  if (!last) return null
  const { batch, next } = last
  const takeBack = async (): Promise<void> => {
    setBusy(true)
    try {
      if (next) await step('undo', true)
      else {
        const outcome = await revertSteps(connection, batch.steps.map((s) => s.step), head())
        if (!outcome.success) toast('warn', outcome.message)
      }
    } catch (cause) {
      toast('bad', messageOf(cause))
    } finally {
      setBusy(false)
      history.reload()
    }
  }
  return (
    <div className="agent-batch">
      <button type="button" className="button" disabled={busy || history.loading} data-testid="undo-agent-batch" onClick={() => void takeBack()}>
        {next ? 'Undo the agent’s batch' : 'Revert the agent’s last batch'}
      </button>
      <span className="quiet">
        {plural(batch.steps.length, 'edit')}{next ? '' : '; later edits stay'}
      </span>
    </div>
  )
}
