import { Dialog } from './Dialog'

interface ConfirmProps {
  title: string
  text: string
  action: string // what the button does, as a verb: "Drop table"
  onAnswer: (yes: boolean) => void
}

// Confirm asks before something that takes more than a key press to repair.
// The answer that changes nothing has the focus: the next key may have been
// meant for something else.
export function Confirm({ title, text, action, onAnswer }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={() => onAnswer(false)} testId="confirm">
      <p>{text}</p>
      <div className="dialog-actions">
        <button type="button" className="button" autoFocus onClick={() => onAnswer(false)}>
          Cancel
        </button>
        <button type="button" className="button danger" data-testid="confirm-yes" onClick={() => onAnswer(true)}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
