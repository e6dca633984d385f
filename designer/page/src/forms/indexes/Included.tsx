import type { ReactNode } from 'react'
import type { Id, Table } from '../../api/types'
import { columnById } from '../../store/design'
import { Icon } from '../../ui/Icon'

interface IncludedProps {
  table: Table
  columns: readonly Id[]
  keys: readonly Id[] // the columns that are keys, which cannot be stored again
  onChange: (columns: Id[]) => void
  children: ReactNode // what is wrong with them
}

// Included are the columns that an index stores beside its key.
export function Included({ table, columns, keys, onChange, children }: IncludedProps) {
  const left = table.columns.filter((c) => !columns.includes(c.id) && !keys.includes(c.id))
  return (
    <fieldset className="mappings">
      <legend>Included columns</legend>
      {columns.length > 0 && (
        <ul className="index-included">
          {columns.map((id) => {
            const name = columnById(table, id)?.name ?? '?'
            return (
              <li key={id}>
                {name}
                <button type="button" className="icon-button" aria-label={`Leave ${name} out`} onClick={() => onChange(columns.filter((other) => other !== id))}>
                  <Icon name="close" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <select aria-label="Include a column" data-testid="index-include" value="" disabled={left.length === 0} onChange={(e) => onChange([...columns, e.target.value])}>
        <option value="">Include a column …</option>
        {left.map((c) => (
          <option key={c.id} value={c.id}>
            {c.name}
          </option>
        ))}
      </select>
      {children}
    </fieldset>
  )
}
