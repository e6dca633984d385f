import type { Id } from '../api/types'
import { hide, unhide } from '../canvas/showing'
import { Icon, type IconName } from '../ui/Icon'
import type { TableRow } from './rows'

interface RowToolsProps {
  row: TableRow
  top: number
  off: boolean // the table is not on the canvas now
  active: boolean // Tab leads here
  onNear: (table: Id) => void
}

// RowTools are what can be done with a row's table beside showing it.
export function RowTools({ row: { key, entry }, top, off, active, onNear }: RowToolsProps) {
  return (
    <div className="outline-tools" role="group" aria-label={entry.name} style={{ top }} data-row={key} data-testid={`tools-${entry.name}`}>
      <Tool icon="near" label={`Show only what is near ${entry.name}`} test="outline-near" tab={active} run={() => onNear(key)} />
      <Tool
        icon={off ? 'eye' : 'hide'}
        label={off ? `Show ${entry.name} on the canvas` : `Hide ${entry.name} on the canvas`}
        test="outline-hide"
        tab={active}
        run={() => (off ? unhide([key]) : hide([key]))}
      />
    </div>
  )
}

interface ToolProps {
  icon: IconName
  label: string
  test: string
  tab: boolean
  run: () => void
}

function Tool({ icon, label, test, tab, run }: ToolProps) {
  return (
    <button type="button" className="outline-tool" aria-label={label} title={label} tabIndex={tab ? 0 : -1} data-testid={test} onClick={run}>
      <Icon name={icon} />
    </button>
  )
}
