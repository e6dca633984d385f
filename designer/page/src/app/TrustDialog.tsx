import { answerAsking, trust } from '../store/trust'
import { useSelector } from '../store/store'
import { Dialog } from '../ui/Dialog'
import { Asks } from './Asks'

// TrustDialog repeats what the person is about to allow, in words. What it
// shows does not change while it is open, and is all that is allowed.
export function TrustDialog() {
  const asking = useSelector(trust, (s) => s.asking)
  const root = useSelector(trust, (s) => s.now?.projectRoot ?? '')
  if (asking.length === 0) return null
  const one = asking.length === 1
  return (
    <Dialog title={one ? 'Allow this?' : `Allow these ${asking.length} things?`} testId="allow-dialog" onClose={() => void answerAsking(false)}>
      <p>From then on, a file of this project:</p>
      <section className="asks-frame" aria-label="What you allow" tabIndex={0}>
        <Asks asks={asking} root={root} />
      </section>
      <p>
        You allow exactly what is written here: a line that changes is asked about again. You can take it back under <em>Approvals</em>.
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" autoFocus data-testid="allow-no" onClick={() => void answerAsking(false)}>
          Cancel
        </button>
        <button type="button" className="button danger" data-testid="allow-yes" onClick={() => void answerAsking(true)}>
          {one ? 'Allow' : `Allow all ${asking.length}`}
        </button>
      </div>
    </Dialog>
  )
}
