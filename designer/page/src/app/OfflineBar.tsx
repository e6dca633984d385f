import { useEffect, useState } from 'react'
import { useStore } from '../store/state'

// grace is how long an instance may be away unsaid: a restart or a handover
// takes less, and a bar that comes and goes moves all that is below it.
const grace = 800 // ms

// OfflineBar says that what is shown may be outdated, and what happens to
// edits.
export function OfflineBar() {
  const online = useStore((s) => s.online)
  return online ? null : <Bar />
}

function Bar() {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), grace)
    return () => clearTimeout(timer)
  }, [])
  const unsent = useStore((s) => s.pending.filter((p) => p.state !== 'settled').length)
  if (!due) return null
  return (
    <div className="offline" role="status" data-testid="offline">
      <strong>Offline.</strong> The instance does not answer; this page keeps trying. If it stays so it may have another port: run <code>berth open</code> in the project’s folder.
      {unsent > 0 && ` ${unsent} ${unsent === 1 ? 'edit waits' : 'edits wait'} and will be made, or refused aloud, when it is back.`}
    </div>
  )
}
