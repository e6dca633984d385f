import { openPanel } from '../store/actions'
import { useStore } from '../store/state'
import { useProposed } from '../store/proposed'
import { sight, type Seen } from '../store/sight'
import { useSelector } from '../store/store'
import { useNow } from '../ui/now'
import { standing } from './standing'

// SyncBadge says at all times how the design stands to its database, and how
// old that knowledge is, so that nobody takes a proposal for what is live, or a
// memory for what is there now.
export function SyncBadge() {
  const sync = useStore((s) => s.design?.sync)
  const version = useStore((s) => s.confirmed?.version)
  const connection = useStore((s) => s.connection)
  const online = useStore((s) => s.online && !s.silent)
  const count = useProposed()
  const seen = useSelector(sight, (s) => s.seen)
  const now = useNow()
  if (!sync) return null
  const { text, title, age, unsure } = standing({ sync, count, seen: ofThis(seen, connection), online, now })
  return (
    <button
      type="button"
      className={unsure ? `sync ${sync} unsure` : `sync ${sync}`}
      title={title}
      aria-label={`Sync state: ${text}, ${age}. ${title}`}
      data-testid="sync"
      data-version={version}
      onClick={() => openPanel('changes')}
    >
      <span className="light" aria-hidden="true" />
      {text}
      <span className="age"> {age}</span>
    </button>
  )
}

function ofThis(seen: Seen | null, connection: string): Seen | null {
  return seen?.connection === connection ? seen : null
}
