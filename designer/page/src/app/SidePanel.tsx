import { Suspense } from 'react'
import { panels, type Panel } from '../panels/registry'
import { openPanel } from '../store/actions'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { compact } from '../ui/number'

// SidePanel is the strip of tabs, and the panel that is open beside it.
export function SidePanel({ designless = false }: { designless?: boolean }) {
  const shown = designless ? panels.filter((p) => p.designless) : panels
  const open = useStore((s) => s.panel)
  const panel = shown.find((p) => p.id === open)
  return (
    <>
      {panel && (
        <aside className={panel.wide ? 'panel wide' : 'panel'} id="side-panel" aria-label={panel.title} data-testid={`panel-${panel.id}`}>
          <header className="panel-head">
            <h2>{panel.title}</h2>
            <button type="button" className="icon-button" aria-label={`Close ${panel.title}`} onClick={() => openPanel(null)}>
              <Icon name="close" />
            </button>
          </header>
          <div className="panel-body">
            <Suspense fallback={<p className="empty">Loading …</p>}>
              <panel.Component />
            </Suspense>
          </div>
        </aside>
      )}
      <nav className="tabs" aria-label="Panels">
        {shown.map((p) => (
          <Tab key={p.id} panel={p} open={p.id === open} />
        ))}
      </nav>
    </>
  )
}

const noBadge = (): undefined => undefined

function Tab({ panel, open }: { panel: Panel; open: boolean }) {
  const useBadge = panel.useBadge ?? noBadge // the same hook for all of a tab's life
  const badge = useBadge()
  return (
    <button
      type="button"
      className="tab"
      aria-expanded={open}
      aria-controls="side-panel"
      title={panel.title}
      data-testid={`tab-${panel.id}`}
      onClick={() => openPanel(open ? null : panel.id)}
    >
      <Icon name={panel.icon} />
      <span className="tab-title">{panel.title}</span>
      {badge !== undefined && badge !== 0 && <Badge count={badge} />}
    </button>
  )
}

// Badge has room for three digits: of more it says the thousands.
function Badge({ count }: { count: number }) {
  return (
    <span className="badge" title={count.toLocaleString('en')}>
      {compact(count)}
    </span>
  )
}
