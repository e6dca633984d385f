import { useReactFlow } from '@xyflow/react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { useHint, useShortcut } from '../ui/shortcuts'
import { FilterMenu } from './FilterMenu'
import { isFiltered } from './filter'
import { arrangeView, fitView } from './view'

const AddMenu = lazy(() => import('../menus/Menus').then((m) => ({ default: m.AddMenu })))

// Controls are the buttons below the canvas, at the left.
export function Controls() {
  const flow = useReactFlow()
  const hint = useHint()
  const [filtering, setFiltering] = useState(false)
  const [adding, setAdding] = useState<HTMLElement | null>(null) // the button
  const closeAdding = useCallback(() => setAdding(null), [])
  const [busy, setBusy] = useState(false)
  const active = useStore((s) => isFiltered(s.design, s.filter))
  const arrange = (): void => {
    setBusy(true)
    void arrangeView().finally(() => setBusy(false))
  }
  const zoomIn = (): void => void flow.zoomIn({ duration: 120 })
  const zoomOut = (): void => void flow.zoomOut({ duration: 120 })
  useShortcut('+', 'Zoom in', zoomIn)
  useShortcut('=', 'Zoom in', zoomIn)
  useShortcut('-', 'Zoom out', zoomOut)
  return (
    <div className="controls">
      {filtering && <FilterMenu onClose={() => setFiltering(false)} />}
      <Suspense>{adding && <AddMenu button={adding} onClose={closeAdding} />}</Suspense>
      <div className="control-bar" role="toolbar" aria-label="View">
        <button type="button" className="icon-button zoom" aria-label="Zoom in" title={hint('Zoom in', '+')} onClick={zoomIn}>
          <Icon name="plus" />
        </button>
        <button type="button" className="icon-button zoom" aria-label="Zoom out" title={hint('Zoom out', '-')} onClick={zoomOut}>
          <Icon name="minus" />
        </button>
        <button type="button" className="icon-button" aria-label="Zoom to fit" title={hint('Zoom to fit', '1')} data-testid="fit" onClick={fitView}>
          <Icon name="fit" />
        </button>
        <button type="button" className="icon-button" aria-label="Arrange what is visible" title={hint('Arrange what is visible', 'alt+l')} data-testid="arrange" disabled={busy} onClick={arrange}>
          <Icon name="arrange" />
        </button>
        <button
          type="button"
          className={active ? 'icon-button on' : 'icon-button'}
          aria-label="Filter"
          title="Filter"
          aria-expanded={filtering}
          data-testid="filter"
          onClick={() => setFiltering(!filtering)}
        >
          <Icon name="filter" />
        </button>
        <button type="button" className="icon-button adding" aria-label="Add an area, note or table" title="Add an area, note or table" aria-haspopup="menu" aria-expanded={adding !== null} data-testid="add-item" onClick={({ currentTarget }) => setAdding(adding ? null : currentTarget)}>
          <Icon name="note" />
        </button>
      </div>
    </div>
  )
}
