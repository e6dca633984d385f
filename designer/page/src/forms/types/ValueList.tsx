import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon'
import { blankValue, moved, type Value } from './draft'

interface ValueListProps {
  values: readonly Value[]
  onChange: (values: Value[]) => void
  children: ReactNode // what is wrong with them
}

// ValueList are the values of an enum, in their order. Enter adds one behind.
export function ValueList({ values, onChange, children }: ValueListProps) {
  const add = (at: number): void => {
    onChange([...values.slice(0, at), blankValue, ...values.slice(at)])
    setTimeout(() => document.querySelector<HTMLInputElement>(`[data-testid=value-${at}]`)?.focus())
  }
  return (
    <fieldset className="mappings">
      <legend>Values, in order</legend>
      {values.map((value, i) => (
        <div key={i} className="mapping type-value">
          <input
            type="text"
            autoComplete="off"
            spellCheck={false}
            aria-label={`Value ${i + 1}`}
            data-testid={`value-${i}`}
            value={value.name}
            onChange={(e) => onChange(values.map((v, o) => (o === i ? { ...v, name: e.target.value } : v)))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || value.name === '') return
              event.preventDefault()
              add(i + 1)
            }}
          />
          <button type="button" className="icon-button" aria-label={`Move value ${i + 1} up`} title="Up" disabled={i === 0} onClick={() => onChange(moved(values, i, -1))}>
            <Icon name="up" />
          </button>
          <button type="button" className="icon-button" aria-label={`Move value ${i + 1} down`} title="Down" disabled={i === values.length - 1} onClick={() => onChange(moved(values, i, 1))}>
            <Icon name="down" />
          </button>
          <button type="button" className="icon-button" aria-label={`Remove value ${i + 1}`} title="Remove" disabled={values.length === 1} onClick={() => onChange(values.filter((_, o) => o !== i))}>
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" className="button small" data-testid="add-value" onClick={() => add(values.length)}>
        <Icon name="plus" /> Another value
      </button>
      {children}
    </fieldset>
  )
}
