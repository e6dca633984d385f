import { useRef } from 'react'
import { Failed, Loading } from '../lib/parts'
import { useNow } from '../../ui/now'
import { useSingleKeys } from '../../ui/singleKeys'
import { waiting } from './approvals'
import { Entry } from './Entry'
import { Trusted } from './Trusted'
import { readQueue, useQueue } from './watch'
import './approvals.css'

// ApprovalsPanel is the one queue of what the agent wants to do beyond the
// design: edits of files, queries that write, publishing.
export default function ApprovalsPanel() {
  const queue = useQueue()
  const now = useNow()
  const single = useSingleKeys()
  const top = useRef<HTMLParagraphElement>(null)
  if (queue.error && queue.entries.length === 0) return <Failed what="The queue" error={queue.error} again={() => void readQueue()} />
  if (!queue.loaded) return <Loading what="the queue" />
  const open = queue.entries.filter((e) => waiting(e, now))
  const over = queue.entries.filter((e) => !waiting(e, now))
  return (
    <div className="pane approvals" data-testid="approvals">
      <p className="quiet" role="status" ref={top} tabIndex={-1} data-testid="approvals-count">
        {open.length === 0
          ? 'Nothing waits for you. What the agent wants to write to files or to a database appears here, and is done only once you approve it.'
          : 'Nothing below has been done. Approving lets the agent do exactly what is shown, once.'}
      </p>
      <ul className="plain-list approval-list" aria-label="Waiting">
        {open.map((e) => (
          <li key={e.id}>
            <Entry entry={e} now={now} deciding={queue.deciding.get(e.id)} onDecided={() => top.current?.focus()} />
          </li>
        ))}
      </ul>
      {over.length > 0 && (
        <details className="approval-past" data-testid="approvals-past">
          <summary>Decided or expired ({over.length})</summary>
          <ul className="plain-list approval-list">
            {over.map((e) => (
              <li key={e.id}>
                <Entry entry={e} now={now} deciding={undefined} onDecided={() => undefined} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {open.length > 0 && (
        <p className="quiet">
          {single ? (
            <>
              By keyboard: <kbd>Tab</kbd> to an entry, then <kbd>A</kbd> approves and <kbd>R</kbd> rejects that one entry. Keys pressed elsewhere decide nothing.
            </>
          ) : (
            'Single-key shortcuts are off: entries are decided by their buttons alone.'
          )}
        </p>
      )}
      <Trusted onRevoked={() => top.current?.focus()} />
    </div>
  )
}
