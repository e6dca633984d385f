import { store } from '../../store/state'
import { Dialog } from '../../ui/Dialog'
import { leave } from '../../ui/unsaved'
import { TypeFields } from './TypeFields'
import { useTypeDraft } from './useTypeDraft'
import { nameOf } from './words'

interface NewTypeDialogProps {
  onMade: (name: string) => void // as columns name it
  onClose: () => void
}

// NewTypeDialog makes a type for a column whose form is open: what is typed
// there stays.
export default function NewTypeDialog({ onMade, onClose }: NewTypeDialogProps) {
  const { form, possible, refusal, warnings, submit, change } = useTypeDraft(null, null, (made) => {
    const { design } = store.get()
    onMade(design ? nameOf(design, { schema: made.schema, name: made.name.trim() }) : made.name.trim())
  })
  // What is typed in the column's form is not left.
  const close = (): void => (form.touched ? leave(onClose, 'form') : onClose())
  return (
    <Dialog title="New type" onClose={close} testId="new-type">
      <form className="form" onSubmit={submit}>
        <TypeFields type={null} draft={form.draft} refusal={refusal} warnings={warnings} change={change} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!possible} data-testid="save">
            Add type
          </button>
        </div>
      </form>
    </Dialog>
  )
}
