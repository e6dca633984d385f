import { useEffect, useState } from 'react'
import type { Edit, Refusal } from '../api/edits'
import { useStore } from '../store/state'
import { edit, tryEdits } from '../store/queue'

// What the instance says of the edits that a form would make, asked a moment
// after the last key.

export interface Trial {
  refusal: Refusal | null
  warnings: string[]
}

const nothing: Trial = { refusal: null, warnings: [] }

export function useTry(edits: Edit[] | null): Trial {
  const version = useStore((s) => s.confirmed?.version)
  const [answer, setAnswer] = useState<{ key: string; trial: Trial }>({ key: '', trial: nothing })
  const key = edits && edits.length > 0 ? JSON.stringify(edits) : ''
  useEffect(() => {
    if (!key) return
    let live = true
    const timer = setTimeout(() => {
      tryEdits(JSON.parse(key) as Edit[])
        .then((outcome) => {
          if (!live) return
          const trial = outcome.success ? { refusal: null, warnings: outcome.receipt.warnings } : { refusal: outcome, warnings: [] }
          if (outcome.success || outcome.reason !== 'stale_state') setAnswer({ key, trial })
        })
        .catch(() => undefined) // offline says so itself
    }, 250)
    return () => {
      live = false
      clearTimeout(timer)
    }
  }, [key, version])
  return answer.key === key ? answer.trial : nothing
}

// save makes the edits of a form and returns why not, null if they are made.
export async function save(edits: Edit[]): Promise<Refusal | null> {
  const outcome = await edit(edits)
  return outcome.success ? null : outcome
}
