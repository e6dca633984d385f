import { Dialog } from './Dialog'

interface ConfirmProps {
  title: string
  text: string
  action: string // what the button does, as a verb: "Drop table"
  onAnswer: (yes: boolean) => void
}

// Confirm asks before something that takes more than a key press to repair.
export function Confirm({ title, text, action, onAnswer }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={() => onAnswer(false)} testId="confirm">
      <p>{text}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => onAnswer(false)}>
          Cancel
        </button>
        <button type="button" className="button danger" autoFocus data-testid="confirm-yes" onClick={() => onAnswer(true)}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
