import { dropColumn } from '../menus/columns'
import { store } from '../store/state'
import { showForm } from '../ui/showForm'

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
  row.focus()
}

function rowsOf(card: HTMLElement): HTMLElement[] {
  return [...card.querySelectorAll<HTMLElement>('[data-column]')]
}
