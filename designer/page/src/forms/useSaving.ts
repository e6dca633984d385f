import { useState, type SyntheticEvent } from 'react'
import type { Edit, Refusal } from '../api/edits'
import { save } from './useTry'

// useSaving is what the forms of this section do when they are confirmed.
export function useSaving(edits: Edit[], onDone: () => void) {
  const [refused, setRefused] = useState<Refusal | null>(null)
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (edits.length === 0) return
    void save(edits).then((why) => {
      setRefused(why)
      if (!why) onDone()
    })
  }
  return { refused, submit, forget: () => setRefused(null) }
}
