import type { Choice } from '../ui/choice'
import { Icon } from '../ui/Icon'

// Action is a button for what is selected, below the canvas.
export function Action({ icon, label, test, spare = false, run }: Choice) {
  return (
    <button type="button" className={spare ? 'action spare' : 'action'} title={label} aria-label={label} data-testid={test} onClick={run}>
      <Icon name={icon} />
      <span className="action-label">{label}</span>
    </button>
  )
}
