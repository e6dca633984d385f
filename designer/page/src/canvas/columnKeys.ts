import { dropColumn } from '../menus/columns'
import { store } from '../store/state'
import { showForm } from '../ui/showForm'
import { panView } from './view'

// Keys on a column that has the focus: arrows, Home and End go through those of
// its table, Escape and Alt+Up back to it; Enter edits, F2 renames, Delete drops.
export function columnKey(key: string, row: HTMLElement): void {
  const { table = '', column = '' } = row.dataset
  const card = row.closest<HTMLElement>('.table')
  const rows = card ? rowsOf(card) : []
  const at = rows.indexOf(row)
  if (key === 'Enter') showForm({ kind: 'table', table, column })
  else if (key === 'F2') store.set({ renaming: { table, column } })
  else if (key === 'Escape') card?.focus()
  else if (key === 'Delete' || key === 'Backspace') {
    if (card) toColumn(card, at + 1 < rows.length ? at + 1 : at - 1) // before the row is gone
    void dropColumn(table, column)
  } else if (card) toColumn(card, key === 'Home' ? 0 : key === 'End' ? rows.length : at + (key === 'ArrowDown' ? 1 : -1))
}

// toColumn gives the focus to a row of a card, or to the one nearest to it. Only
// the keyboard does: a press on a row is one on its table.
export function toColumn(card: HTMLElement, at: number): void {
  const rows = rowsOf(card)
  const row = rows[Math.max(0, Math.min(at, rows.length - 1))]
  if (!row) return
  row.tabIndex = -1
  row.addEventListener('pointerdown', () => row.removeAttribute('tabindex'), { once: true })
  row.focus({ preventScroll: true }) // the canvas is moved, and not scrolled
  bringIntoView(row)
}

const margin = 24 // px round a row that is brought into view

function bringIntoView(row: HTMLElement): void {
  const canvas = row.closest('.react-flow')?.getBoundingClientRect()
  if (!canvas) return
  const { left, right, top, bottom } = row.getBoundingClientRect()
  const by = { x: missing(left, right, canvas.left, canvas.right), y: missing(top, bottom, canvas.top, canvas.bottom) }
  if (by.x !== 0 || by.y !== 0) panView(by)
}

// missing is how far something has to move to lie between two edges; of what has
// no room between them its beginning counts.
function missing(from: number, to: number, low: number, high: number): number {
  if (from < low + margin || to - from > high - low - 2 * margin) return low + margin - from
  return Math.min(0, high - margin - to)
}

function rowsOf(card: HTMLElement): HTMLElement[] {
  return [...card.querySelectorAll<HTMLElement>('[data-column]')]
}
