import { askForName } from '../store/actions'
import { titleOf } from '../store/design'
import { useStore } from '../store/state'
import { centreOf, hiddenIn, isFiltered } from './filter'
import { showAll, showNear, steps } from './showing'
import { matches, openView, openedView, updateView } from './viewing'

// ShownLine says, for as long as the canvas does not show all tables, how many
// it shows and why, and leads back to all.
export function ShownLine({ shown }: { shown: number }) {
  const design = useStore((s) => s.design)
  const filter = useStore((s) => s.filter)
  if (!design || !isFiltered(design, filter)) return null
  const centre = centreOf(design, filter)
  const hidden = hiddenIn(design, filter)
  const total = design.tables.size.toLocaleString('en')
  return (
    <div className="shown-line" role="group" aria-label="What is shown" data-testid="shown-line">
      <span role="status" data-testid="shown-count">
        {filter.ranked?.most === shown ? (
          <>
            The <strong>{shown.toLocaleString('en')}</strong> tables with most relations of {total}
          </>
        ) : (
          <>
            <strong>{shown.toLocaleString('en')}</strong> of {total} tables shown{filter.ranked && `, first the ${filter.ranked.most} with most relations`}
          </>
        )}
      </span>
      {centre && filter.around && (
        <label>
          within{' '}
          <select aria-label={`How near to ${centre.name}`} data-testid="near-steps" value={filter.around.distance} onChange={(e) => showNear(centre.id, Number(e.target.value))}>
            {steps.map((n) => (
              <option key={n} value={n}>
                {n === 1 ? '1 step' : `${n} steps`}
              </option>
            ))}
          </select>{' '}
          of <b title={titleOf(design, centre)}>{titleOf(design, centre)}</b>
        </label>
      )}
      {filter.schemas && <span>{filter.schemas.size === 1 ? `schema ${[...filter.schemas].join('')}` : `${filter.schemas.size} schemas`}</span>}
      {hidden > 0 && <span>{hidden.toLocaleString('en')} hidden</span>}
      <OfView />
      <button type="button" className="button small" data-testid="show-all" onClick={showAll}>
        Show all
      </button>
    </div>
  )
}

// OfView is about the saved view that is open, or offers to save what is shown.
function OfView() {
  const view = useStore(openedView)
  const kept = useStore((s) => s.views !== null)
  const changed = useStore((s) => view !== undefined && !matches(view, s))
  if (!kept) return null
  if (!view) {
    return (
      <button type="button" className="button small wide" data-testid="save-view" onClick={askForName}>
        Save as a view
      </button>
    )
  }
  return (
    <>
      <span className="shown-view" data-testid="shown-view">
        view{' '}<b title={view.name}>{view.name}</b>
        {changed && ', changed'}
      </span>
      {changed && (
        <span className="shown-buttons">
          <button type="button" className="button small" data-testid="update-view" title={`Keep what is shown as the view ${view.name}`} onClick={() => void updateView()}>
            Update view
          </button>
          <button type="button" className="button small" data-testid="reset-view" title={`Show the view ${view.name} as it was saved`} onClick={() => openView(view)}>
            Reset
          </button>
        </span>
      )}
    </>
  )
}
