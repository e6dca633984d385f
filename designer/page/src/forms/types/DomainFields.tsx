import type { NamedType } from '../../api/namedType'
import type { Blame } from '../blame'
import { Check, Field } from '../Field'
import { TypeInput } from '../TypeInput'
import type { Fields } from './draft'

interface DomainFieldsProps {
  type: NamedType | null // null: a new one
  draft: Fields
  at: Blame['at']
  change: (part: Partial<Fields>) => void
}

// DomainFields are what a domain makes of the type that it restricts.
export function DomainFields({ type, draft, at, change }: DomainFieldsProps) {
  const checks = type?.domain?.checks ?? []
  return (
    <>
      <div className="columns">
        <Field label="Base type" error={at('dataType')} hint="One of the database’s own, such as text or numeric(10,2)">
          <TypeInput value={draft.base} onChange={(base) => change({ base })} />
        </Field>
        <Field label="Default" error={at('defaultValue')} hint="An SQL expression; empty: none">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="domain-default" value={draft.default} onChange={(e) => change({ default: e.target.value })} />
        </Field>
      </div>
      <Check label="Not null" test="domain-not-null" checked={draft.notNull} onChange={(notNull) => change({ notNull })} />
      {checks.length > 1 ? (
        <div className="note" data-testid="domain-checks">
          It has several checks, which stay as they are: edits know one. {checks.map((c) => `${c.name}: ${c.expression}`).join('; ')}
        </div>
      ) : (
        <Field label="Check" error={at('check')} hint="An SQL condition on VALUE, such as VALUE > 0; empty: none">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="domain-check" value={draft.check} onChange={(e) => change({ check: e.target.value })} />
        </Field>
      )}
    </>
  )
}
