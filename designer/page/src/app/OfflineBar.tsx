import { useEffect, useState, type ReactNode } from 'react'
import { useStore } from '../store/state'

// grace is how long an instance may be away unsaid: a restart or a handover
// takes less, and a bar that comes and goes moves all that is below it.
const grace = 800 // ms

// OfflineBar says that what is shown may be outdated, and what happens to
// edits.
export function OfflineBar() {
  const online = useStore((s) => s.online)
  const silent = useStore((s) => s.silent)
  if (!online) return <Away />
  return silent ? <Bar what="Not answering." more={<>The instance takes what this page asks and answers nothing. If it stays so end it with <code>berth stop --force</code> in the project’s folder.</>} /> : null
}

function Away() {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), grace)
    return () => clearTimeout(timer)
  }, [])
  if (!due) return null
  return <Bar what="Offline." more={<>The instance does not answer; this page keeps trying. If it stays so it may have another port: run <code>berth open</code> in the project’s folder.</>} />
}

function Bar({ what, more }: { what: string; more: ReactNode }) {
  const unsent = useStore((s) => s.pending.filter((p) => p.state !== 'settled').length)
  return (
    <div className="offline" role="status" data-testid="offline">
      <strong>{what}</strong> {more}
      {unsent > 0 && ` ${unsent} ${unsent === 1 ? 'edit waits' : 'edits wait'} and will be made, or refused aloud, when it is back.`}
    </div>
  )
}
