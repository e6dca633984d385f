import { useEffect, useRef, useState } from 'react'
import { most, type Item } from '../../api/items'
import { store } from '../../store/state'
import { write } from './changing'

const nearly = 0.9 // of what a note holds, from which on it is said

// Text is the text of an area or note while it is being edited in its place.
// Leaving it keeps what was typed; Escape does not.
export function Text({ id, item }: { id: string; item: Item }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [length, setLength] = useState(item.text.length)
  const area = item.kind === 'area'
  const limit = area ? most.title : most.text
  useEffect(() => {
    const element = field.current
    element?.focus()
    element?.select()
    let answered = false
    const finish = (keep: boolean): void => {
      if (answered) return
      answered = true
      const back = element === document.activeElement
      if (keep) write(id, element?.value ?? '')
      store.set(({ writing }) => (writing === id ? { writing: null } : {}))
      if (back) setTimeout(() => document.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`)?.focus())
    }
    const blur = (): void => finish(true)
    const key = (event: KeyboardEvent): void => {
      event.stopPropagation()
      if (event.key === 'Enter' && !event.isComposing && (area || event.ctrlKey || event.metaKey)) finish(true)
      if (event.key === 'Escape') finish(false)
    }
    element?.addEventListener('blur', blur)
    element?.addEventListener('keydown', key)
    return () => {
      if (element?.isConnected === false) finish(true)
    }
  }, [id, area])
  const common = { ref: field, className: 'item-field nodrag nopan nowheel', maxLength: limit, defaultValue: item.text, 'data-testid': 'item-text', onInput: () => setLength(field.current?.value.length ?? 0) }
  return (
    <>
      {area ? <input type="text" aria-label="Title of the area" autoComplete="off" spellCheck={false} {...common} /> : <textarea aria-label="Text of the note" {...common} />}
      {length >= limit * nearly && (
        <span className="item-limit" role="status" data-testid="item-limit">
          {length >= limit ? `Full: ${limit.toLocaleString('en')} characters` : `${length.toLocaleString('en')} of ${limit.toLocaleString('en')}`}
        </span>
      )}
    </>
  )
}
