import type { Table } from '../api/types'
import { typeOf } from '../store/design'
import { Icon } from '../ui/Icon'

export interface Pair {
  column: string
  referencedColumn: string
}

interface MappingFieldsProps {
  table: Table
  target: Table
  pairs: readonly Pair[]
  onChange: (pairs: Pair[]) => void
}

// MappingFields pairs columns of the table with those they refer to.
export function MappingFields({ table, target, pairs, onChange }: MappingFieldsProps) {
  const change = (at: number, part: Partial<Pair>): void => onChange(pairs.map((p, i) => (i === at ? { ...p, ...part } : p)))
  return (
    <fieldset className="mappings">
      <legend>Columns</legend>
      {pairs.map((pair, i) => (
        <div key={i} className="mapping">
          <Pick table={table} label={`Column ${i + 1} of ${table.name}`} test={`mapping-column-${i}`} value={pair.column} onChange={(column) => change(i, { column })} />
          <span aria-hidden="true">→</span>
          <Pick
            table={target}
            label={`Column ${i + 1} of ${target.name}`}
            test={`mapping-ref-${i}`}
            value={pair.referencedColumn}
            onChange={(referencedColumn) => change(i, { referencedColumn })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove pair ${i + 1}`}
            disabled={pairs.length === 1}
            onClick={() => onChange(pairs.filter((_, other) => other !== i))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" className="button small" onClick={() => onChange([...pairs, { column: '', referencedColumn: '' }])}>
        <Icon name="plus" /> Another pair
      </button>
    </fieldset>
  )
}

interface PickProps {
  table: Table
  label: string
  test: string
  value: string
  onChange: (name: string) => void
}

function Pick({ table, label, test, value, onChange }: PickProps) {
  return (
    <select aria-label={label} data-testid={test} value={value} onChange={(e) => onChange(e.target.value)}>
      <option value="">{table.name} …</option>
      {table.columns.map((c) => (
        <option key={c.id} value={c.name}>
          {c.name} ({typeOf(c)})
        </option>
      ))}
    </select>
  )
}
