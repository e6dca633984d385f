import { useState, type SyntheticEvent } from 'react'
import type { Edit, Refusal } from '../api/edits'

// useSaving is what the forms of this section do when they are confirmed; save
// is that of their draft.
export function useSaving(edits: Edit[], save: (edits: Edit[]) => Promise<Refusal | null>, onDone: () => void) {
  const [refused, setRefused] = useState<Refusal | null>(null)
  const make = (what: Edit[]): void => {
    if (what.length === 0) return
    void save(what).then((why) => {
      setRefused(why)
      if (!why) onDone()
    })
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    make(edits)
  }
  return { refused, make, submit, forget: () => setRefused(null) }
}
