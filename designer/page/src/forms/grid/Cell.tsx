import { useId } from 'react'
import { useStore } from '../../store/state'
import type { Row } from './row'
import type { RowDraft } from './useRow'

export type Texts = { [F in keyof Row]: Row[F] extends string ? F : never }[keyof Row]
export type Flags = Exclude<keyof Row, Texts>

interface CellProps<F> {
  draft: RowDraft
  field: F
  label: string // of the field, and of which column: "Type of email"
  test: string
  wrong: string | undefined // the id of what is wrong with it
  placeholder?: string | undefined
}

export function TextCell({ draft, field, label, test, wrong, placeholder }: CellProps<Texts>) {
  const list = useId()
  return (
    <td className={`cell ${field}`}>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong}
        data-field={field}
        data-testid={test}
        placeholder={placeholder}
        list={field === 'dataType' ? list : undefined}
        value={draft.row[field]}
        onChange={(e) => draft.type({ [field]: e.target.value })}
      />
      {field === 'dataType' && <Types id={list} />}
    </td>
  )
}

function Types({ id }: { id: string }) {
  const dialect = useStore((s) => s.dialect)
  return (
    <datalist id={id}>
      {(dialect?.types ?? [])
        .filter((t) => t.legacy !== true)
        .map((t) => (
          <option key={t.name} value={t.name} />
        ))}
    </datalist>
  )
}

interface FlagProps extends CellProps<Flags> {
  disabled: boolean
  title: string | undefined
  onChange: (on: boolean) => void
}

export function FlagCell({ draft, field, label, test, wrong, disabled, title, onChange }: FlagProps) {
  return (
    <td className="cell flag" title={title}>
      <input type="checkbox" aria-label={label} aria-invalid={wrong !== undefined} aria-describedby={wrong} data-field={field} data-testid={test} checked={draft.row[field]} disabled={disabled} onChange={(e) => onChange(e.target.checked)} />
    </td>
  )
}
