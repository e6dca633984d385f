import { useEffect, useMemo, useRef } from 'react'
import type { Filter } from '../store/state'
import { rankedOf } from '../store/rank'
import { store, useStore } from '../store/state'
import { shallow } from '../store/store'
import { titleOf } from '../store/design'
import { useShortcut } from '../ui/shortcuts'
import { fitView } from './view'
import { showAll, showNear, showRanked } from './showing'

// FilterMenu narrows what is shown: by schema, and to what is related to one
// table.
export function FilterMenu({ onClose }: { onClose: () => void }) {
  const menu = useRef<HTMLDivElement>(null)
  useShortcut('Escape', 'Close the filter', onClose, { typing: true })
  useEffect(() => {
    // A press on the button that opened it is answered there.
    const beside = ({ target }: PointerEvent): void => {
      if (target instanceof Element && !menu.current?.contains(target) && !target.closest('[data-testid=filter]')) onClose()
    }
    addEventListener('pointerdown', beside, true)
    return () => removeEventListener('pointerdown', beside, true)
  })
  const filter = useStore((s) => s.filter)
  const schemas = useStore((s) => [...new Set([...(s.design?.tables.values() ?? [])].map((t) => t.schema))].sort(), shallow)
  const chosen = useStore((s) => (s.selected.size === 1 ? [...s.selected][0] : undefined))
  const centre = filter.around?.table ?? chosen
  const centreName = useStore((s) => {
    const table = centre === undefined ? undefined : s.design?.tables.get(centre)
    return s.design && table ? titleOf(s.design, table) : ''
  })
  const design = useStore((s) => s.design)
  const ranked = useMemo(() => design !== null && rankedOf(design) !== null, [design])
  const change = (next: Partial<Filter>): void => {
    store.set((s) => ({ filter: { ...s.filter, ranked: null, view: null, also: new Set(), ...next } }))
    setTimeout(fitView)
  }
  const toggle = (schema: string): void => {
    const now = new Set(filter.schemas ?? schemas)
    if (!now.delete(schema)) now.add(schema)
    change({ schemas: now.size === schemas.length ? null : now })
  }
  return (
    <div
      className="filter-menu"
      role="group"
      aria-label="Filter"
      data-testid="filter-menu"
      ref={menu}
    >
      <h3>Related to</h3>
      {centre === undefined || !centreName ? (
        <p className="hint">Select one table to see only what is related to it.</p>
      ) : (
        <div className="choices">
          <span className="centre">{centreName}</span>
          <select
            aria-label={`How far from ${centreName}`}
            data-testid="filter-distance"
            value={filter.around?.distance ?? 0}
            onChange={(e) => (e.target.value === '0' ? change({ around: null }) : showNear(centre, Number(e.target.value)))}
          >
            <option value="0">everything</option>
            <option value="1">1 relation</option>
            <option value="2">2 relations</option>
            <option value="3">3 relations</option>
          </select>
        </div>
      )}
      {schemas.length > 1 && (
        <>
          <h3>Schemas</h3>
          {schemas.map((schema) => (
            <label key={schema} className="check">
              <input type="checkbox" checked={filter.schemas?.has(schema) ?? true} onChange={() => toggle(schema)} />
              {schema}
            </label>
          ))}
        </>
      )}
      <div className="choices">
        <button type="button" className="button small" data-testid="filter-clear" onClick={showAll}>
          Show everything
        </button>
        {ranked && !filter.ranked && (
          <button type="button" className="button small" data-testid="filter-ranked" onClick={showRanked}>
            Most relations first
          </button>
        )}
      </div>
    </div>
  )
}
