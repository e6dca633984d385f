import { Asks } from '../../app/Asks'
import { useSelector } from '../../store/store'
import { revoke, trust, trusted } from '../../store/trust'

// Trusted is what the person lets the project's own files do, and the way to
// take it back.
export function Trusted({ onRevoked }: { onRevoked: () => void }) {
  const now = useSelector(trust, (s) => s.now)
  const asks = trusted(now)
  if (!now || asks.length === 0) return null
  return (
    <details className="approval-past" data-testid="trusted">
      <summary>Allowed to this project’s own files ({asks.length})</summary>
      <Asks asks={asks} root={now.projectRoot} />
      <button type="button" className="button" data-testid="revoke" onClick={() => void revoke().then(onRevoked)}>
        Take all of it back
      </button>
    </details>
  )
}
