import { ViewportPortal } from '@xyflow/react'
import { useMemo } from 'react'
import { openPanel } from '../store/actions'
import { fullName, titleOf } from '../store/design'
import { useStore } from '../store/state'
import { shallow } from '../store/store'
import './dropped.css'
import { overlaps } from './geometry'
import { ghostsOf } from './ghosts'
import type { Region } from './region'
import { isSpread } from './spread'

// Ghosts are the tables that the agent dropped, until that is reviewed, each
// where it lay. They are no nodes: nothing selects, moves or counts them. From
// afar only the dashed outline is left, since the names that are painted there
// keep clear of one another.
export default function Ghosts({ region }: { region: Region }) {
  const state = useStore(({ connection, design, filter, reviewing }) => ({ connection, design, filter, reviewing }), shallow)
  const places = useStore((s) => (isSpread(s) ? s.spread?.at : undefined) ?? s.positions) // in a view none but its own
  const ghosts = useMemo(() => ghostsOf(state, places), [state, places])
  const { design } = state
  if (!design || ghosts.length === 0) return null
  return (
    <ViewportPortal>
      <div className={`ghosts ${region.detail}`} role="list" aria-label="Tables that the agent dropped">
        {ghosts
          .filter((g) => overlaps(g, region))
          .map(({ table, x, y, width, height }) => (
            <div key={table.id} className="ghost" role="listitem" style={{ width, height, transform: `translate(${x}px, ${y}px)` }} data-testid={`ghost-${fullName(table)}`}>
              <div className="ghost-head">
                <del>{titleOf(design, table)}</del>
                <button type="button" className="flag reviewed nodrag nopan" tabIndex={-1} aria-label={`Review of ${table.name}: dropped`} onClick={() => openPanel('review')}>
                  Review
                </button>
              </div>
              <p>dropped by the agent</p>
            </div>
          ))}
      </div>
    </ViewportPortal>
  )
}
