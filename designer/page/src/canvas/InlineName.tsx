import { useEffect, useRef } from 'react'

interface InlineNameProps {
  name: string
  label: string
  onDone: (name: string | null) => void // null: leave it
}

// InlineName is a name while it is being changed in its place.
export function InlineName({ name, label, onDone }: InlineNameProps) {
  const input = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const finish = (commit: boolean): void => {
    if (done.current) return // leaving the field after Enter is not a second answer
    done.current = true
    const value = input.current?.value.trim() ?? ''
    onDone(commit && value !== '' && value !== name ? value : null)
  }
  return (
    <input
      ref={input}
      type="text"
      className="inline-name nodrag nopan"
      aria-label={label}
      defaultValue={name}
      autoComplete="off"
      spellCheck={false}
      data-testid="rename"
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') finish(true)
        if (event.key === 'Escape') finish(false)
      }}
    />
  )
}
