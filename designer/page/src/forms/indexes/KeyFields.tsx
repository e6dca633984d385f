import { useState, type ReactNode } from 'react'
import type { IndexMember, IndexMethod } from '../../api/dialect'
import type { Table } from '../../api/types'
import { Icon } from '../../ui/Icon'
import { Check } from '../Field'
import { blankPart, type Part } from './draft'
import { KeyOptions } from './KeyOptions'
import { noExpressions, takes } from './methods'

const ofExpression = 'expression' // in place of a column's id

interface KeyFieldsProps {
  table: Table
  methods: readonly IndexMethod[]
  title: string // of the dialect
  method: string
  parts: readonly Part[]
  onChange: (parts: Part[]) => void
  children: ReactNode // what is wrong with them
}

// KeyFields are the keys of an index in their order: columns or expressions.
export function KeyFields({ table, methods, title, method, parts, onChange, children }: KeyFieldsProps) {
  const why = noExpressions(methods, method, title)
  const several = takes(methods, method, 'columns')
  const change = (at: number, part: Partial<Part>): void => onChange(parts.map((p, i) => (i === at ? { ...p, ...part } : p)))
  return (
    <fieldset className="mappings">
      <legend>Columns, in order</legend>
      {parts.map((part, i) => (
        <KeyField key={i} table={table} part={part} at={i} only={parts.length === 1} expressions={why === ''} takes={(member) => takes(methods, method, member)} onChange={(next) => change(i, next)} onRemove={() => onChange(parts.filter((_, o) => o !== i))} />
      ))}
      <button type="button" className="button small" disabled={!several} data-testid="another-key" onClick={() => onChange([...parts, blankPart])}>
        <Icon name="plus" /> Another column
      </button>
      {!several && <p className="note">An index of method {method} has one column.</p>}
      {why && (
        <p className="note" data-testid="no-expressions">
          {why}
        </p>
      )}
      {children}
    </fieldset>
  )
}

interface KeyFieldProps {
  table: Table
  part: Part
  at: number
  only: boolean
  expressions: boolean // the index can have some
  takes: (member: IndexMember) => boolean
  onChange: (part: Partial<Part>) => void
  onRemove: () => void
}

function KeyField({ table, part, at, only, expressions, takes, onChange, onRemove }: KeyFieldProps) {
  const members = (['nulls', 'opClass', 'collation', 'length'] as const).filter((m) => part[m] !== '' || (takes(m) && !(m === 'length' && part.isExpression)))
  const [open, setOpen] = useState(members.some((m) => part[m] !== ''))
  const n = at + 1
  const choose = (value: string): void => onChange(value === ofExpression ? { isExpression: true, column: '', length: '' } : { isExpression: false, column: value, expression: '' })
  return (
    <div className="index-key">
      <div className="mapping">
        <select aria-label={`Column ${n}`} data-testid={`index-column-${at}`} value={part.isExpression ? ofExpression : part.column} onChange={(e) => choose(e.target.value)}>
          <option value="">Choose …</option>
          {table.columns.map((c) => (
            <option key={c.id} value={c.id}>
              {c.name}
            </option>
          ))}
          <option value={ofExpression} disabled={!expressions && !part.isExpression}>
            An expression …
          </option>
        </select>
        {(takes('descending') || part.descending) && <Check label="Descending" test={`index-descending-${at}`} checked={part.descending} onChange={(descending) => onChange({ descending })} />}
        {members.length > 0 && (
          <button type="button" className="button small" aria-expanded={open} aria-label={`Options of column ${n}`} data-testid={`index-options-${at}`} onClick={() => setOpen(!open)}>
            Options
          </button>
        )}
        <button type="button" className="icon-button" aria-label={`Remove column ${n}`} disabled={only} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      {part.isExpression && (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-label={`Expression ${n}`}
          placeholder="An SQL expression, such as lower(name)"
          data-testid={`index-expression-${at}`}
          value={part.expression}
          onChange={(e) => onChange({ expression: e.target.value })}
        />
      )}
      {open && members.length > 0 && <KeyOptions part={part} at={at} members={members} onChange={onChange} />}
    </div>
  )
}
