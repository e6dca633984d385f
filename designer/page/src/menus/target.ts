import type { Id } from '../api/types'
import { tableAt } from '../canvas/far'
import { filtered } from '../canvas/filter'
import { placesOf } from '../canvas/spread'
import { toCanvas } from '../canvas/view'
import { store } from '../store/state'

// What a context menu is of.
export type Target =
  | { kind: 'tables'; ids: readonly Id[] } // one, or all that are selected
  | { kind: 'column'; table: Id; column: Id }
  | { kind: 'relation'; table: Id; key: Id }
  | { kind: 'item'; id: string } // an area or note
  | { kind: 'canvas'; at: Point | null } // on the screen
  | { kind: 'row'; key: string } // of the outline
  | { kind: 'view'; id: string } // one that is saved, in the outline

export interface Point {
  x: number
  y: number
}

// targetOf is what stands where somebody pressed, or has the focus; null:
// nothing that has a menu.
export function targetOf(element: Element, at: Point | null): Target | null {
  const view = element.closest<HTMLElement>('[data-view]')?.dataset['view']
  if (view !== undefined) return { kind: 'view', id: view }
  const outline = element.closest('.outline-rows')
  if (outline) {
    const row = element.closest<HTMLElement>('[data-row]') ?? outline.querySelector<HTMLElement>('.outline-row.active')
    return row ? { kind: 'row', key: row.dataset['row'] ?? '' } : null
  }
  if (element === document.body || element.closest('.dock .actions')) return targetOfSelection()
  const place = element.closest<HTMLElement>('.edge, [data-item], [data-column], [data-table], .react-flow__nodesselection, .react-flow__pane')
  if (!place?.closest('.plane')) return null
  const { of, key, item, table, column } = place.dataset
  if (of !== undefined && key !== undefined) return { kind: 'relation', table: of, key }
  if (item !== undefined) return { kind: 'item', id: item }
  if (table !== undefined) return ofTable(table, column)
  if (place.matches('.react-flow__nodesselection')) return targetOfSelection()
  const painted = at && paintedAt(at)
  return painted ? ofTable(painted, undefined) : { kind: 'canvas', at }
}

function ofTable(table: Id, column: Id | undefined): Target {
  const { selected } = store.get()
  if (selected.size > 1 && selected.has(table)) return { kind: 'tables', ids: [...selected] }
  return column === undefined ? { kind: 'tables', ids: [table] } : { kind: 'column', table, column }
}

function targetOfSelection(): Target | null {
  const { selected, selectedKey, chosenItem, design } = store.get()
  if (!design) return null
  if (chosenItem !== null) return { kind: 'item', id: chosenItem }
  if (selectedKey) return { kind: 'relation', ...selectedKey }
  return selected.size > 0 ? { kind: 'tables', ids: [...selected] } : { kind: 'canvas', at: null }
}

// paintedAt is the table below a point where tables are no elements.
function paintedAt(at: Point): Id | null {
  const { design, filter } = store.get()
  if (!design || !document.querySelector('.far-layer')) return null
  return tableAt(filtered(design, filter), placesOf(store.get()), toCanvas(at))
}
