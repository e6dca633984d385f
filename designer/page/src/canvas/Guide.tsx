import { useState } from 'react'
import { home } from '../api/home'
import { openPanel } from '../store/actions'
import { showForm } from '../ui/showForm'
import { useStore } from '../store/state'
import { panels } from '../panels/registry'
import { Icon } from '../ui/Icon'
import { useSingleKeys } from '../ui/singleKeys'
import { showAll } from './showing'

// Guide says how to begin: on an empty design, and behind a filter that hides
// everything.
export function Guide({ shown }: { shown: number }) {
  const ready = useStore((s) => s.design !== null)
  const tables = useStore((s) => s.design?.tables.size ?? 0)
  if (!ready) {
    return (
      <div className="guide loading" role="status" data-testid="loading">
        Reading the design …
      </div>
    )
  }
  if (tables === 0) return <Empty />
  if (shown === 0) return <AllHidden />
  return null
}

function Empty() {
  const imports = panels.find((p) => p.id === 'transfer')
  return (
    <div className="guide card" data-testid="empty-design">
      <h2>No tables yet</h2>
      <p>Add the first one, or ask your agent: what it does appears here as it happens. Nothing reaches the database until you publish.</p>
      <div className="guide-actions">
        <button type="button" className="button primary" onClick={() => showForm({ kind: 'table', table: null })}>
          <Icon name="plus" /> Add a table
        </button>
        {imports && (
          <button type="button" className="button" onClick={() => openPanel(imports.id)}>
            Import SQL or DBML
          </button>
        )}
      </div>
    </div>
  )
}

function AllHidden() {
  return (
    <div className="guide card" data-testid="all-hidden">
      <p>The filter hides every table.</p>
      <button type="button" className="button" onClick={showAll}>
        Show everything
      </button>
    </div>
  )
}

const seenKey = 'berth.guided'

// FirstUse says once, to whoever is here for the first time, what cannot be
// seen. It stands below the canvas and covers nothing.
export function FirstUse() {
  const [seen, setSeen] = useState(() => home.read(seenKey) !== null)
  const single = useSingleKeys()
  if (seen) return null
  const close = (): void => {
    home.keep(seenKey, '1')
    setSeen(true)
  }
  return (
    <div className="tip" role="note" data-testid="first-use">
      <span>
        Drag between columns to relate them, double click a name to rename it, {single ? 'press' : 'the button'} <kbd>?</kbd> {single ? 'for' : 'above has'} the rest. The badge above says how the design stands
        to its database.
      </span>
      <button type="button" className="button small" onClick={close}>
        Got it
      </button>
    </div>
  )
}
