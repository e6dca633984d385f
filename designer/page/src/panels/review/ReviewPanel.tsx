import { useStore } from '../../store/state'
import { Failed, Loading } from '../lib/parts'
import { plural } from '../lib/text'
import { Notes } from './Notes'
import './review.css'
import { settle } from './settle'
import { TableCard } from './TableCard'
import { TypeCard } from './TypeCard'
import { lookAgain } from './watch'

// ReviewPanel shows what agents changed, whatever the number of steps: for each
// table the net, accepted or taken back by a person. The steps are the history.
export default function ReviewPanel() {
  const { review, error } = useStore((s) => s.reviewing)
  if (error) return <Failed what="What the agent changed" error={error} again={() => void lookAgain()} />
  if (!review) return <Loading what="what the agent changed" />
  const { tables, types, count } = review
  const shown = tables.length + types.length
  return (
    <div className="pane review" data-testid="review">
      <div className="hstack spread">
        <span role="status" tabIndex={-1} data-testid="review-place">
          {count === 0 ? 'Nothing to look at' : `${counted(count, types.length)} to look at`}
        </span>
        {count > 0 && (
          <button type="button" className="button small" data-testid="accept-all" onClick={() => void settle('accept', [], 'all')}>
            Accept all
          </button>
        )}
      </div>
      <Notes />
      {count === 0 && (
        <p className="empty" data-testid="review-empty">
          What an agent changes in this design is shown here as its net: what differs, before and after, to be accepted or taken back.
        </p>
      )}
      {tables.map((t) => (
        <TableCard key={t.id} table={t} />
      ))}
      {types.map((t) => (
        <TypeCard key={t.id} type={t} />
      ))}
      {count > shown && <p className="quiet">and {count - shown} more, once some of these are settled</p>}
    </div>
  )
}

function counted(count: number, types: number): string {
  return [count > types && plural(count - types, 'table'), types > 0 && plural(types, 'type')].filter(Boolean).join(' and ')
}
