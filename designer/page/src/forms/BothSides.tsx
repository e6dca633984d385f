import './both.css'
import { whose } from '../store/activity'
import { useStore } from '../store/state'
import type { HeldForm } from './useHeld'

interface BothSidesProps<D extends object> {
  form: HeldForm<D>
  table: string // id
  labels: Partial<Record<keyof D, string>>
  words?: Partial<Record<keyof D, (value: never) => string>> // of what is no plain text
}

// BothSides shows, in a form, what somebody else has changed meanwhile that
// the person has changed too. The form is saved once one side is picked.
export function BothSides<D extends object>({ form, table, labels, words }: BothSidesProps<D>) {
  const mark = useStore((s) => s.marks.get(table))
  if (form.both.length === 0) return null
  const said = (field: keyof D, value: D[keyof D]): string => {
    const word = words?.[field]
    if (word) return word(value as never) || 'none'
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return String(value) || 'none'
  }
  return (
    <div className="held" role="alert" data-testid="held">
      <p>{mark ? `${whose[mark.origin]} changed this` : 'This was changed'} while the form was open. Which one stands?</p>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">As it is now</th>
            <th scope="col">As you have it</th>
          </tr>
        </thead>
        <tbody>
          {form.both.map(({ field, theirs, mine }) => (
            <tr key={String(field)}>
              <th scope="row">{labels[field] ?? String(field)}</th>
              <td data-testid="held-theirs">{said(field, theirs)}</td>
              <td data-testid="held-mine">{said(field, mine)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="held-actions">
        <button type="button" className="button small" data-testid="take-theirs" onClick={() => form.pick('theirs')}>
          Take it as it is now
        </button>
        <button type="button" className="button small" data-testid="keep-mine" onClick={() => form.pick('mine')}>
          Keep mine
        </button>
      </div>
    </div>
  )
}

interface GoneProps {
  what: string // "Column name"
  children?: string
  again?: { label: string; run: () => void } | undefined
}

// Gone says that what a form is about was dropped meanwhile. What was typed
// stays where it is.
export function Gone({ what, children, again }: GoneProps) {
  return (
    <div className="held" role="alert" data-testid="gone">
      <p>
        {what} was dropped while the form was open. {children ?? 'What you typed is still here.'}
      </p>
      {again && (
        <div className="held-actions">
          <button type="button" className="button small" data-testid="add-again" onClick={again.run}>
            {again.label}
          </button>
        </div>
      )}
    </div>
  )
}
