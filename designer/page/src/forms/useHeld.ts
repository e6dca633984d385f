import { useState } from 'react'
import type { Edit, Refusal } from '../api/edits'
import { useUnsaved } from '../ui/unsaved'
import { bothOf, followed, picked, touched, type Both, type Held } from './held'
import { save } from './useTry'

export interface HeldForm<D extends object> {
  draft: D
  before: D // what the draft began from
  change: (part: Partial<D>) => void
  both: Both<D>[] // what is to be picked before the form can be saved
  pick: (side: 'theirs' | 'mine') => void
  touched: boolean
  save: (edits: Edit[]) => Promise<Refusal | null>
}

// useHeld is the draft of a form about something that others may change: now
// is as it is at the moment, null where it is gone or is not there yet. While
// the form's own edits are on their way it follows nothing: what is shown then
// is its own, and is taken back where they are refused.
export function useHeld<D extends object>(blank: () => D, now: D | null, part: 'names' | 'form' = 'form'): HeldForm<D> {
  const [kept, setKept] = useState<Held<D>>(() => {
    const began = now ?? blank()
    return { before: began, draft: began }
  })
  const [saving, setSaving] = useState(false)
  const other = saving ? null : now
  const held = other ? followed(kept, other) : kept
  if (held !== kept) setKept(held)
  const typed = touched(held)
  useUnsaved(typed && !saving, part)
  return {
    draft: held.draft,
    before: held.before,
    change: (part) => setKept((old) => ({ ...old, draft: { ...old.draft, ...part } })),
    both: other ? bothOf(held, other) : [],
    pick: (side) => {
      if (now) setKept(picked(held, now, side))
    },
    touched: typed,
    save: async (edits) => {
      setSaving(true)
      const why = await save(edits)
      setSaving(false)
      return why
    },
  }
}
