import { Icon, type IconName } from '../ui/Icon'

interface ActionProps {
  icon: IconName
  label: string
  test: string
  spare?: boolean // a phone has no room for it; another place has it too
  onClick: () => void
}

// Action is a button for what is selected, below the canvas.
export function Action({ icon, label, test, spare = false, onClick }: ActionProps) {
  return (
    <button type="button" className={spare ? 'action spare' : 'action'} title={label} aria-label={label} data-testid={test} onClick={onClick}>
      <Icon name={icon} />
      <span className="action-label">{label}</span>
    </button>
  )
}
