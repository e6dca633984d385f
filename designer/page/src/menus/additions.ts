import type { Position } from '../api/types'
import type { State } from '../store/state'
import type { Choice } from '../ui/choice'
import { showForm } from '../ui/showForm'
import { addArea, addNote } from '../canvas/items/changing'

// additions are what can be put on the canvas: at a place, or where one looks.
export function additions({ items, selected }: Pick<State, 'items' | 'selected'>, at?: Position): Choice[] {
  const around = !at && selected.size > 0
  const keeps: Choice[] = [
    { icon: 'area', label: around ? 'New area around what is selected' : 'New area', test: 'area', keys: 'alt+a', run: () => addArea(at) },
    { icon: 'note', label: 'New note', test: 'note', keys: 'alt+m', run: () => addNote(at) },
  ]
  return [{ icon: 'table', label: 'New table', test: 'table', keys: 'alt+n', run: () => showForm({ kind: 'table', table: null, ...(at ? { at } : {}) }) }, ...(items === null ? [] : keeps)]
}
