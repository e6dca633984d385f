import { useEffect, useRef, useState } from 'react'
import type { Edit, Refusal } from '../../api/edits'
import type { Design } from '../../store/design'
import { asked, edit } from '../../store/queue'
import { store } from '../../store/state'
import { useUnsaved } from '../../ui/unsaved'
import { useTry } from '../useTry'
import type { Row } from './row'

export interface RowDraft {
  row: Row // as it is shown
  typed: boolean
  refusal: Refusal | null
  type: (part: Partial<Row>) => void
  forget: () => void
  commit: (more?: Partial<Row>) => boolean // whether there was something to make
}

// useRow is a row of the grid while it is typed into. What was typed follows
// the design that was seen when typing began: what others have changed since
// is asked about, and what is refused stays with the words at its row.
export function useRow(now: Row, editOf: (typed: Partial<Row>) => Edit | null): RowDraft {
  const [typed, setTyped] = useState<Partial<Row>>({})
  const [refused, setRefused] = useState<Refusal | null>(null)
  const seen = useRef<Design | null>(null)
  const touched = Object.keys(typed).length > 0
  const tried = touched ? editOf(typed) : null
  const trial = useTry(tried && [tried])
  useUnsaved(tried !== null)
  const commit = (more: Partial<Row> = {}): boolean => {
    const sent = { ...typed, ...more }
    const made = editOf(sent)
    const began = seen.current
    seen.current = null
    setTyped({})
    setRefused(null)
    if (!made) return false
    void edit([made], began).then((outcome) => {
      if (outcome.success || asked([made], outcome)) return
      setTyped((later) => ({ ...sent, ...later }))
      setRefused(outcome)
    })
    return true
  }
  // A row that goes while it is typed into, since its column was dropped, is
  // answered as a name in its place is.
  const last = useRef({ made: tried, refused })
  useEffect(() => {
    last.current = { made: tried, refused }
  })
  useEffect(
    () => () => {
      const { made, refused } = last.current
      if (made && !refused && seen.current) void edit([made], seen.current).then((outcome) => asked([made], outcome))
    },
    [],
  )
  return {
    row: { ...now, ...typed },
    typed: touched,
    refusal: touched ? (refused ?? trial.refusal) : null,
    type: (part) => {
      seen.current ??= store.get().design
      setTyped((old) => ({ ...old, ...part }))
      setRefused(null)
    },
    forget: () => {
      seen.current = null
      setTyped({})
      setRefused(null)
    },
    commit,
  }
}
