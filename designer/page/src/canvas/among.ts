import type { Item, Items } from '../api/items'
import type { Table } from '../api/types'
import type { Design } from '../store/design'
import { arrange } from './arrange'
import type { Moved } from './items/items'
import type { Positions } from './placement'

// Among is what is to be arranged, and where it lies.
export interface Among {
  shown: readonly Table[]
  hidden: readonly Table[] // which go along if they lie in an area, else stay
  positions: Positions
  items: Items
}

// arrangeAmong arranges tables among areas and notes: an area keeps those that
// lie in it.
export async function arrangeAmong(design: Design, among: Among, more: Record<string, string> = {}): Promise<Moved> {
  const { shown, positions, items } = among
  if (Object.keys(items).length === 0) return { tables: await arrange(design, shown, positions, more), items: {} }
  const { settle } = await import('./items/settle')
  return settle(design, among, more)
}

// stillThere are those of items that nobody has removed meanwhile, as they are
// now but for their ground.
export function stillThere(moved: Items, now: Items): Record<string, Item> {
  const there: Record<string, Item> = {}
  for (const [id, { x, y, width, height }] of Object.entries(moved)) {
    const item = now[id]
    if (item) there[id] = { ...item, x, y, width, height }
  }
  return there
}
