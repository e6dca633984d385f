import { useState, type ReactNode, type SubmitEvent } from 'react'
import { Icon } from '../../ui/Icon'
import { visible } from '../lib/text'
import type { Condition, Filter } from './api'
import { conditions, takesValue, typedFilter, wordsOf } from './filters'
import type { Rows } from './rows'

interface FiltersProps {
  columns: Rows['columns']
  dialect: string
  filters: readonly Filter[]
  onFilters: (filters: readonly Filter[]) => void
  children: ReactNode // at the end of the bar
}

// Filters shows the conditions that rows must fulfil, and takes another.
export function Filters({ columns, dialect, filters, onFilters, children }: FiltersProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <div className="hstack" role="group" aria-label="Filters">
        <button type="button" className="button small" aria-expanded={open} data-testid="data-filter" disabled={columns.length === 0} onClick={() => setOpen(!open)}>
          <Icon name="filter" /> Filter
        </button>
        {filters.map((f, i) => (
          <button
            key={i}
            type="button"
            className="button small condition"
            title="Leave this condition out"
            data-testid="data-condition"
            onClick={() => onFilters(filters.filter((_, at) => at !== i))}
          >
            <span>{visible(wordsOf(f))}</span> <Icon name="close" />
          </button>
        ))}
        <span className="hstack at-end">{children}</span>
      </div>
      {open && <Condition columns={columns} dialect={dialect} onFilter={(f) => onFilters([...filters, f])} />}
    </>
  )
}

interface ConditionProps {
  columns: Rows['columns']
  dialect: string
  onFilter: (filter: Filter) => void
}

function Condition({ columns, dialect, onFilter }: ConditionProps) {
  const [name, setName] = useState('')
  const [is, setIs] = useState<Condition>('contains')
  const [value, setValue] = useState('')
  const column = columns.find((c) => c.name === name) ?? columns[0]
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    if (!column) return
    onFilter(typedFilter(column, is, value, dialect))
    setValue('')
  }
  return (
    <form className="hstack condition-form" onSubmit={add}>
      <select aria-label="Column" value={column?.name ?? ''} data-testid="filter-column" onChange={(e) => setName(e.target.value)}>
        {columns.map((c, i) => (
          <option key={i} value={c.name}>
            {visible(c.name)}
          </option>
        ))}
      </select>
      <select aria-label="Condition" value={is} data-testid="filter-is" onChange={(e) => setIs(e.target.value as Condition)}>
        {conditions.map((c) => (
          <option key={c.is} value={c.is}>
            {c.text}
          </option>
        ))}
      </select>
      {takesValue(is) && <input type="text" aria-label="Value" value={value} autoComplete="off" spellCheck={false} data-testid="filter-value" onChange={(e) => setValue(e.target.value)} />}
      <button type="submit" className="button primary" data-testid="filter-add">
        Add
      </button>
    </form>
  )
}
