import { useStore } from '../../store/state'
import { Icon } from '../../ui/Icon'
import { settle } from './settle'

// Settling are the two buttons that settle what a key names; small ones are
// beside a part or a field.
export function Settling({ at, what, small = false }: { at: string; what: string; small?: boolean }) {
  const busy = useStore((s) => s.pending.length > 0 || !s.online)
  const look = small ? 'icon-button' : 'button small'
  return (
    <span className="net-settle">
      <button type="button" className={look} disabled={busy} aria-label={`Accept ${what}`} title="Accept" data-testid="accept" onClick={() => void settle('accept', [at], what)}>
        {small ? <Icon name="check" /> : 'Accept'}
      </button>
      <button type="button" className={look} disabled={busy} aria-label={`Take back ${what}`} title="Take back" data-testid="take-back" onClick={() => void settle('take_back', [at], what)}>
        {small ? <Icon name="undo" /> : 'Take back'}
      </button>
    </span>
  )
}
