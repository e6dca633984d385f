import type { KeyboardEvent } from 'react'

// move goes from row to row in one column of the grid: Enter and the arrows,
// which in a field of types choose from the list. It reports whether it did.
export function move(event: KeyboardEvent<HTMLElement>): boolean {
  const cell = event.target
  if (!(cell instanceof HTMLInputElement) || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return false
  const { field = '' } = cell.dataset
  const arrows = field !== 'dataType'
  const by = event.key === 'Enter' || (arrows && event.key === 'ArrowDown') ? 1 : arrows && event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || field === '') return false
  const cells = [...(cell.closest('table')?.querySelectorAll<HTMLInputElement>(`[data-field="${field}"]`) ?? [])]
  const next = cells[cells.indexOf(cell) + by]
  if (!next) return event.key === 'Enter'
  goTo(next)
  return true
}

// goTo gives a cell the focus, with all of its text, and brings it into view.
export function goTo(cell: HTMLInputElement | null | undefined): void {
  cell?.focus()
  if (cell?.type === 'text') cell.select()
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
