import { home } from '../api/home'
import { outlineKeys, setTheme, toggleOutline } from '../store/actions'
import { showForm } from '../ui/showForm'
import { step } from '../store/steps'
import { store, useStore, type Theme } from '../store/state'
import { Icon, type IconName } from '../ui/Icon'
import { showKeys, useHint } from '../ui/shortcuts'
import { ConnectionPicker } from './ConnectionPicker'
import { Here } from './Here'
import { SyncBadge } from './SyncBadge'

export function TopBar() {
  const undo = useStore((s) => (s.design?.undoSteps ?? 0) + s.moves.length)
  const redo = useStore((s) => (s.design?.redoSteps ?? 0) + s.unmoved.length)
  return (
    <header className="topbar">
      <OutlineSwitch />
      {!home.themed && <span className="brand">berth</span>}
      <ConnectionPicker />
      <SyncBadge />
      <Saving />
      <div className="spacer" />
      <Here />
      <button type="button" className="button primary" aria-label="Add a table" data-testid="add-table" onClick={() => showForm({ kind: 'table', table: null })}>
        <Icon name="plus" />
        <span className="wide-only">Table</span>
      </button>
      <Tool icon="undo" label="Undo" keys="mod+z" test="undo" disabled={undo === 0} onClick={() => void step('undo')} />
      <Tool icon="redo" label="Redo" keys="shift+mod+z" test="redo" disabled={redo === 0} onClick={() => void step('redo')} />
      <Tool icon="search" label="Search" keys="mod+f" test="search" onClick={() => store.set({ searching: true })} />
      {!home.themed && <ThemeSwitch />}
      <Tool icon="help" label="Shortcuts" keys="?" test="help-button" onClick={() => store.set({ helping: true })} />
    </header>
  )
}

function OutlineSwitch() {
  const open = useStore((s) => s.outline)
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="List of tables"
      title={`List of tables (${showKeys(outlineKeys)})`}
      aria-expanded={open}
      aria-controls="outline"
      data-testid="outline-switch"
      onClick={toggleOutline}
    >
      <Icon name="outline" />
    </button>
  )
}

interface ToolProps {
  icon: IconName
  label: string
  keys: string
  test: string
  disabled?: boolean
  onClick: () => void
}

function Tool({ icon, label, keys, test, disabled = false, onClick }: ToolProps) {
  const hint = useHint()
  return (
    <button type="button" className="icon-button" aria-label={label} title={hint(label, keys)} disabled={disabled} data-testid={test} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

const themes: Record<Theme, { next: Theme; icon: IconName; label: string }> = {
  auto: { next: 'dark', icon: 'half', label: 'Colours: as the system' },
  dark: { next: 'light', icon: 'moon', label: 'Colours: dark' },
  light: { next: 'auto', icon: 'sun', label: 'Colours: light' },
}

function ThemeSwitch() {
  const theme = useStore((s) => s.theme)
  const { next, icon, label } = themes[theme]
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} data-testid="theme" onClick={() => setTheme(next)}>
      <Icon name={icon} />
    </button>
  )
}

// Saving shows that edits are on their way, once that takes a moment.
function Saving() {
  const waiting = useStore((s) => s.pending.some((p) => p.state !== 'settled'))
  return (
    <span className={waiting ? 'saving on' : 'saving'} role="status">
      {waiting ? 'Saving …' : ''}
    </span>
  )
}
