import { ViewportPortal } from '@xyflow/react'
import { useMemo } from 'react'
import { useStore } from '../../store/state'
import { inLayers, itemsOf } from './items'
import { ItemView } from './ItemView'
import './items.css'

// Items are the areas and notes of what the canvas shows. Where tables are
// painted, the far layer paints the areas below them, and only their titles are
// here.
export default function Items({ painted }: { painted: boolean }) {
  const items = useStore(itemsOf)
  const layers = useMemo(() => inLayers(items), [items])
  return (
    <ViewportPortal>
      <div className={painted ? 'items painted' : 'items'} role="list" aria-label="Areas and notes">
        {layers.map(([id, item]) => (
          <div key={id} role="listitem" className={`item-place ${item.kind}-place`}>
            <ItemView id={id} item={item} />
          </div>
        ))}
      </div>
    </ViewportPortal>
  )
}
