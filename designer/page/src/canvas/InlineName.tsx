import { useEffect, useRef, useState } from 'react'
import type { Edit } from '../api/edits'
import { editAloud } from '../store/queue'
import { store } from '../store/state'

interface InlineNameProps {
  name: string
  label: string
  edit: (name: string) => Edit // that gives it the name
}

// InlineName is a name while it is being changed in its place. It holds the
// name that it began with: if somebody else changes it meanwhile both sides
// are shown, and if the place itself goes, what was typed is still answered.
export function InlineName({ name, label, edit }: InlineNameProps) {
  const input = useRef<HTMLInputElement>(null)
  const [began] = useState(() => ({ name, edit, seen: store.get().design, renaming: store.get().renaming }))
  useEffect(() => {
    const field = input.current
    field?.focus()
    field?.select()
    let answered = false
    const finish = (commit: boolean): void => {
      if (answered) return // leaving the field after Enter is not a second answer
      answered = true
      store.set(({ renaming }) => (renaming === began.renaming ? { renaming: null } : {}))
      const value = field?.value.trim() ?? ''
      if (commit && value !== '' && value !== began.name) void editAloud([began.edit(value)], began.seen)
    }
    const blur = (): void => finish(true)
    const key = (event: KeyboardEvent): void => {
      event.stopPropagation()
      if (event.key === 'Enter' && !event.isComposing) finish(true)
      if (event.key === 'Escape') finish(false)
    }
    field?.addEventListener('blur', blur)
    field?.addEventListener('keydown', key)
    return () => {
      if (field?.isConnected === false) finish(true)
    }
  }, [began])
  return (
    <input ref={input} type="text" className="inline-name nodrag nopan" aria-label={label} defaultValue={name} autoComplete="off" spellCheck={false} data-testid="rename" />
  )
}
