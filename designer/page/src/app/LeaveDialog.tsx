import { useSelector } from '../store/store'
import { Dialog } from '../ui/Dialog'
import { answerLeaving, leaving } from '../ui/unsaved'

// LeaveDialog asks before what was typed into a form is thrown away.
export function LeaveDialog() {
  const asked = useSelector(leaving, (s) => s.then !== null)
  if (!asked) return null
  return (
    <Dialog title="Discard what you typed?" testId="discard" onClose={() => answerLeaving(false)}>
      <p>It has not been saved.</p>
      <div className="dialog-actions">
        <button type="button" className="button" data-testid="discard-yes" onClick={() => answerLeaving(true)}>
          Discard
        </button>
        <button type="button" className="button primary" autoFocus data-testid="discard-no" onClick={() => answerLeaving(false)}>
          Keep editing
        </button>
      </div>
    </Dialog>
  )
}
