import { useStore } from '../store/state'

// OfflineBar says that what is seen may be old, and what becomes of edits.
export function OfflineBar() {
  const online = useStore((s) => s.online)
  const unsent = useStore((s) => s.pending.filter((p) => p.state !== 'settled').length)
  if (online) return null
  return (
    <div className="offline" role="status" data-testid="offline">
      <strong>Offline.</strong> The instance does not answer; this page keeps trying.
      {unsent > 0 && ` ${unsent} ${unsent === 1 ? 'edit waits' : 'edits wait'} and will be made, or refused aloud, when it is back.`}
    </div>
  )
}
