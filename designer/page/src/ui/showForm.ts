import { openForm } from '../store/actions'
import type { Form } from '../store/state'
import { leave } from './unsaved'

// showForm opens a form in place of the one that is open, after a question if
// something was typed there.
export function showForm(form: Form): void {
  leave(() => openForm(form))
}
