import './clash.css'
import { edit } from '../store/queue'
import { store, useStore } from '../store/state'
import { toast } from '../store/toasts'
import { Dialog } from '../ui/Dialog'

// ClashDialog asks which side to keep after a person and somebody else have
// changed the same thing: both sides are shown, and the person picks.
export function ClashDialog() {
  const clash = useStore((s) => s.clashes[0])
  if (!clash) return null
  const close = (): void => store.set((s) => ({ clashes: s.clashes.slice(1) }))
  const gone = clash.items.some((item) => item.gone)
  const mine = async (): Promise<void> => {
    close()
    const outcome = await edit(clash.edits)
    if (!outcome.success) toast('bad', outcome.message)
  }
  return (
    <Dialog key={clash.id} title="Changed by somebody else meanwhile" testId="clash" onClose={close}>
      <p>Your edit was not made, because what it is about has changed since you saw it.</p>
      <table className="clash">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">As it is now</th>
            <th scope="col">As you wanted it</th>
          </tr>
        </thead>
        <tbody>
          {clash.items.map((item) => (
            <tr key={item.what}>
              <th scope="row">{item.what}</th>
              <td data-testid="clash-theirs">{item.theirs}</td>
              <td data-testid="clash-mine">{item.mine}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="dialog-actions">
        <button type="button" className="button" data-testid="keep-theirs" onClick={close}>
          {gone ? 'Understood' : 'Leave it as it is now'}
        </button>
        {!gone && (
          <button type="button" className="button primary" data-testid="make-mine" onClick={() => void mine()}>
            Make it as I wanted
          </button>
        )}
      </div>
    </Dialog>
  )
}
