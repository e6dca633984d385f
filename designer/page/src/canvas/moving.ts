import type { Id, Position } from '../api/types'
import { withAll } from '../store/items'
import { moveAsStep } from '../store/moves'
import { store, type ItemsChange } from '../store/state'
import { isSpread, moveInView } from './spread'

// moveTables moves tables, and changes areas and notes, where the canvas shows
// them: in the layout, as a step that can be undone, or in a view that was
// arranged for itself.
export function moveTables(to: Readonly<Record<Id, Position>>, ongoing = false, items: ItemsChange = {}): void {
  if (!isSpread(store.get())) {
    moveAsStep(to, ongoing, items)
    return
  }
  if (Object.keys(to).length > 0) moveInView(to)
  store.set(({ spread }) => (spread ? { spread: { ...spread, items: withAll(spread.items, items) } } : {}))
}
