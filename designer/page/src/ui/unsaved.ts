import { useEffect } from 'react'
import { createStore } from '../store/store'

// What a person has typed and not saved. Whatever would take it away asks
// first: nothing that was typed vanishes without a question.

// Part is where a form keeps it: a table's names, or the form below them.
type Part = 'names' | 'form'

const drafts = new Set<{ part: Part }>()

// The way out that waits for an answer; null: nobody is asked.
export const leaving = createStore<{ then: (() => void) | null }>({ then: null })

// useUnsaved says that a form holds something that is nowhere else.
export function useUnsaved(unsaved: boolean, part: Part = 'form'): void {
  useEffect(() => {
    if (!unsaved) return
    const draft = { part }
    drafts.add(draft)
    return () => void drafts.delete(draft)
  }, [unsaved, part])
}

// isUnsaved reports whether a form holds something.
export function isUnsaved(): boolean {
  return drafts.size > 0
}

// leave does what takes forms away, or one part of them: at once where they
// hold nothing, else once the person has said so.
export function leave(then: () => void, part?: Part): void {
  if (![...drafts].some((d) => part === undefined || d.part === part)) then()
  else leaving.set({ then })
}

// answerLeaving carries out the way out that was asked about, or stays.
export function answerLeaving(yes: boolean): void {
  const { then } = leaving.get()
  leaving.set({ then: null })
  if (yes) then?.()
}

// The browser asks in its own words before the page itself is closed.
addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault()
})
