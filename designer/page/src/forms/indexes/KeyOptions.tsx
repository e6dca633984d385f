import { Field } from '../Field'
import type { Part } from './draft'

type Member = 'nulls' | 'opClass' | 'collation' | 'length'

interface KeyOptionsProps {
  part: Part
  at: number
  members: readonly Member[] // that are offered
  onChange: (part: Partial<Part>) => void
}

// KeyOptions are what a key of an index can have and seldom needs.
export function KeyOptions({ part, at, members, onChange }: KeyOptionsProps) {
  return (
    <div className="columns index-options" role="group" aria-label={`Options of column ${at + 1}`}>
      {members.includes('nulls') && (
        <Field label="Nulls">
          <select data-testid={`index-nulls-${at}`} value={part.nulls} onChange={(e) => onChange({ nulls: e.target.value as Part['nulls'] })}>
            <option value="">{part.descending ? 'First, as usual' : 'Last, as usual'}</option>
            <option value="first">First</option>
            <option value="last">Last</option>
          </select>
        </Field>
      )}
      {members.includes('opClass') && (
        <Field label="Operator class" hint="Such as text_pattern_ops or gin_trgm_ops; empty: the type’s own">
          <input type="text" autoComplete="off" spellCheck={false} data-testid={`index-opclass-${at}`} value={part.opClass} onChange={(e) => onChange({ opClass: e.target.value })} />
        </Field>
      )}
      {members.includes('collation') && (
        <Field label="Collation" hint="Empty: the column’s own">
          <input type="text" autoComplete="off" spellCheck={false} data-testid={`index-collation-${at}`} value={part.collation} onChange={(e) => onChange({ collation: e.target.value })} />
        </Field>
      )}
      {members.includes('length') && (
        <Field label="Length" hint="How much of each value; empty: all of it">
          <input type="number" min={1} data-testid={`index-length-${at}`} value={part.length} onChange={(e) => onChange({ length: e.target.value })} />
        </Field>
      )}
    </div>
  )
}
