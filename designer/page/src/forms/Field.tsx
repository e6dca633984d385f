import { cloneElement, useId, type ReactElement } from 'react'

interface FieldProps {
  label: string
  error?: string | undefined
  hint?: string | undefined
  children: ReactElement<{ id?: string; 'aria-invalid'?: boolean; 'aria-describedby'?: string | undefined }>
  className?: string
}

// Field is a labelled control with its error message below.
export function Field({ label, error, hint, children, className }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, 'aria-invalid': error !== undefined, 'aria-describedby': note === undefined ? undefined : `${id}-note` })}
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? 'note' : 'note error'} role={error === undefined ? undefined : 'alert'}>
          {note}
        </p>
      )}
    </div>
  )
}

// Wrong is the error message below a group of controls.
export function Wrong({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="note error" role="alert">
      {text}
    </p>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  disabled?: boolean
  test?: string
  onChange: (checked: boolean) => void
}

export function Check({ label, checked, disabled = false, test, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} disabled={disabled} data-testid={test} onChange={(e) => onChange(e.target.checked)} />
      {label}
    </label>
  )
}

// Trouble says what no single field is to blame for, and the warnings.
export function Trouble({ error, warnings }: { error?: string | undefined; warnings?: string[] }) {
  return (
    <>
      {error !== undefined && (
        <p className="note error" role="alert" data-testid="form-error">
          {error}
        </p>
      )}
      {warnings?.slice(0, 3).map((w) => (
        <p key={w} className="note warning" data-testid="form-warning">
          {w}
        </p>
      ))}
    </>
  )
}
