import { openPanel } from '../store/actions'
import { useStore } from '../store/state'
import { useProposed } from '../store/proposed'

// SyncBadge says at all times how the design stands to its database, so that
// nobody takes a proposal for what is live, or the other way round.
export function SyncBadge() {
  const sync = useStore((s) => s.design?.sync)
  const version = useStore((s) => s.confirmed?.version)
  const readError = useStore((s) => s.design?.readError)
  const count = useProposed()
  if (!sync) return null
  const words = {
    synced: { text: 'synced', title: 'The design and the database agree.' },
    proposed: { text: `proposed${count === null ? '' : ` ${count}`}`, title: 'These changes are in the design only. The database is untouched until you publish.' },
    drifted: { text: 'drifted', title: 'The database has changed since this design was begun.' },
  }[sync]
  const title = readError ? `${words.title} The database could not be read: ${readError}` : words.title
  return (
    <button type="button" className={`sync ${sync}`} title={title} aria-label={`Sync state: ${words.text}. ${title}`} data-testid="sync" data-version={version} onClick={() => openPanel('changes')}>
      <span className="light" aria-hidden="true" />
      {words.text}
      {readError && <span aria-hidden="true"> !</span>}
    </button>
  )
}
