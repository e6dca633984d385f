import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'

interface NameFieldProps {
  label: string
  value: string // to begin with
  save: (name: string) => Promise<string> // returns what is wrong, ''
  onClose: () => void
}

// NameField asks for a name in its place. It closes once the name is taken, and
// says what is wrong with one that is not.
export function NameField({ label, value, save, onClose }: NameFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => input.current?.select(), [])
  const submit = async (): Promise<void> => {
    setBusy(true)
    const answer = await save(input.current?.value ?? '')
    setBusy(false)
    setWrong(answer)
    if (answer === '') onClose()
    else input.current?.focus()
  }
  const key = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
  }
  return (
    <form
      className="name-field"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={key}
    >
      <input type="text" ref={input} autoFocus aria-label={label} aria-invalid={wrong !== '' || undefined} aria-describedby={wrong ? id : undefined} maxLength={80} autoComplete="off" spellCheck={false} defaultValue={value} data-testid="view-name" />
      <button type="submit" className="button small primary" disabled={busy} data-testid="view-save">
        Save
      </button>
      <button type="button" className="button small" onClick={onClose}>
        Cancel
      </button>
      {wrong && (
        <p className="name-wrong" role="alert" id={id}>
          {wrong}
        </p>
      )}
    </form>
  )
}
