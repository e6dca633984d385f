import type { ReactNode } from 'react'
import type { Ask } from '../api/types'
import { visible } from '../panels/lib/text'
import { place } from '../store/trust'

interface AsksProps {
  asks: readonly Ask[]
  root: string
  action?: (ask: Ask) => ReactNode // beside each line
}

// Asks lists what the project's own files ask, in words, with all that a
// person has to see of it.
export function Asks({ asks, root, action }: AsksProps) {
  return (
    <ul className="asks">
      {asks.map((ask) => (
        <li key={ask.digest} data-testid="ask">
          <div>
            {visible(ask.words)}
            {ask.detail && <code>{visible(ask.detail)}</code>}
            <small>{visible(place(ask, root))}</small>
          </div>
          {action?.(ask)}
        </li>
      ))}
    </ul>
  )
}
