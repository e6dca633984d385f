import { useLayoutEffect } from 'react'
import { isInvented } from '../store/apply'
import { fullName, type Design } from '../store/design'
import { fill, hold } from '../store/layout'
import { store, useStore } from '../store/state'
import type { Position } from '../api/types'
import { arrange } from './arrange'
import { place, type Positions } from './placement'
import { isSpread } from './spread'
import { watchForTouch } from './touch'
import { fitView, placeOfNext, reveal } from './view'

// useLayout gives every table a place as soon as it is there. Those that have
// one never move by themselves, except once: a design that nobody has laid
// out is arranged when it is first opened.
export function useLayout(): void {
  const design = useStore((s) => s.design)
  const loaded = useStore((s) => s.layoutLoaded)
  const positions = useStore((s) => s.positions)
  useLayoutEffect(() => {
    if (!design || !loaded) return
    const fresh = handedOver(design, positions)
    const placed = { ...fresh, ...place(design, { ...positions, ...fresh }, placeOfNext()) }
    if (Object.keys(placed).length === 0) return
    const first = Object.keys(positions).length === 0 && design.tables.size > 1
    remember(design, placed)
    if (first) {
      hold(placed)
      void arrangeFirst(design, store.get().positions)
    } else fill(placed)
  }, [design, loaded, positions])
}

const inventedAt = new Map<string, Position>()

// remember where tables stand that the instance has not named yet.
function remember(design: Design, placed: Positions): void {
  for (const [id, at] of Object.entries(placed)) {
    const table = design.tables.get(id)
    if (table && isInvented(id)) inventedAt.set(fullName(table), at)
  }
}

// handedOver puts a table that has got its own id where it already stood.
function handedOver(design: Design, positions: Positions): Record<string, Position> {
  const at: Record<string, Position> = {}
  if (inventedAt.size === 0) return at
  for (const table of design.tables.values()) {
    const known = inventedAt.get(fullName(table))
    if (!known || positions[table.id] || isInvented(table.id)) continue
    at[table.id] = known
    inventedAt.delete(fullName(table))
  }
  return at
}

// arrangeFirst keeps the simple arrangement if there is no better one, if
// somebody has moved something meanwhile, here or at another page, or if
// somebody has a hand on the canvas: nothing moves away from under it.
export async function arrangeFirst(design: Design, before: Positions): Promise<void> {
  const touched = watchForTouch()
  const at = await arrange(design, [...design.tables.values()], {}).catch(() => before)
  const now = store.get().positions
  const keep = touched() || now !== before
  fill(keep ? now : at)
  if (keep || isSpread(store.get())) return // a view has places of its own
  const { selected } = store.get() // by the address
  if (selected.size > 0) reveal([...selected])
  else fitView()
}
