import type { Item, Items } from '../../api/items'
import type { Id, Table } from '../../api/types'
import { rectsOf } from '../geometry'
import type { Positions } from '../placement'
import { inLayers, isIn, liesIn } from './items'

// Plot is an area, or the whole canvas, with what lies in it and in none of
// the areas within it.
export interface Plot {
  tables: Table[]
  areas: [string, Item, Plot][]
  notes: [string, Item][]
}

// plotsOf has everything once: what lies in several areas is in the smallest.
export function plotsOf(tables: readonly Table[], positions: Positions, items: Items): Plot {
  const whole: Plot = { tables: [], areas: [], notes: [] }
  const plots: [Item, Plot][] = []
  const about = (lies: (area: Item) => boolean): Plot => plots.findLast(([area]) => lies(area))?.[1] ?? whole
  for (const [id, item] of inLayers(items)) {
    // Larger areas come first, so that what an area lies in is known already.
    const around = about((area) => isIn(item, area))
    if (item.kind === 'note') around.notes.push([id, item])
    else {
      const plot: Plot = { tables: [], areas: [], notes: [] }
      around.areas.push([id, item, plot])
      plots.push([item, plot])
    }
  }
  const rects = new Map(rectsOf(tables, positions).map((r) => [r.id, r]))
  for (const table of tables) {
    const rect = rects.get(table.id)
    about((area) => rect !== undefined && liesIn(rect, area)).tables.push(table)
  }
  return whole
}

// idsOf are the tables of a plot and of the areas in it.
export function idsOf(plot: Plot): Id[] {
  return [...plot.tables.map((t) => t.id), ...plot.areas.flatMap(([, , inner]) => idsOf(inner))]
}
