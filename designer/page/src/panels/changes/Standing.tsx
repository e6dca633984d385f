import { useStore } from '../../store/state'
import { syncWords } from '../../ui/syncWords'
import type { Plan } from '../lib/api'
import { plural } from '../lib/text'

interface StandingProps {
  plan: Plan | null
  count: number | null
  loading: boolean
  reload: () => void
}

// Standing says in one sentence what is only proposed and what is live.
export function Standing({ plan, count, loading, reload }: StandingProps) {
  const sync = useStore((s) => plan?.sync ?? s.confirmed?.sync ?? 'synced')
  const database = useStore((s) => s.design?.database ?? '')
  const interrupted = useStore((s) => s.confirmed?.interrupted ?? false)
  const half = interrupted || (plan?.from ?? 0) > 0
  return (
    <div className={`standing ${half ? 'drifted' : sync}`} data-testid="standing">
      <div>
        <strong>{half ? 'Half published' : syncWords[sync]}</strong>
        <p>
          {half ? (
            <>A publish to {database} ended in its middle.</>
          ) : sync === 'synced' ? (
            <>The design and {database} agree.</>
          ) : sync === 'proposed' ? (
            <>
              {count === null ? 'The changes are' : `${plural(count, 'change')} ${count === 1 ? 'is' : 'are'}`} in this design only. {database} is untouched until you publish.
            </>
          ) : (
            <>{database} has been changed by someone else since it was last read.</>
          )}
        </p>
      </div>
      <button type="button" className="button small" disabled={loading} title="Read the database and plan again; nothing is changed" data-testid="reread" onClick={reload}>
        {loading ? 'Reading …' : 'Refresh'}
      </button>
    </div>
  )
}
