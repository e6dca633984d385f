import { useState, type SyntheticEvent } from 'react'
import type { ColumnSpec, Edit, Refusal } from '../api/edits'
import type { TypeInfo } from '../api/dialect'
import type { Column, Id, Table } from '../api/types'
import { isInvented, refTo } from '../store/apply'
import { columnById } from '../store/design'
import { useStore } from '../store/state'
import { leave } from '../ui/unsaved'
import { blame, type Blame } from './blame'
import { BothSides, Gone } from './BothSides'
import { differences, draftOf, labels, type Draft } from './columnDraft'
import { Check, Field, Trouble } from './Field'
import { bareType, TypeInput } from './TypeInput'
import { NewType } from './types/NewType'
import { useHeld } from './useHeld'
import { useTry } from './useTry'

interface ColumnFormProps {
  table: Table
  gone: boolean // the table is
  id: Id
  onDone: () => void
}

export function ColumnForm({ table, gone, id, onDone }: ColumnFormProps) {
  const dialect = useStore((s) => s.dialect)
  const column = columnById(table, id)
  const there = column !== undefined
  const form = useHeld(() => draftOf(table, null, dialect), there ? draftOf(table, id, dialect) : null)
  const { before, draft } = form
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [more, setMore] = useState(before.isComputed || before.isIdentity)
  const change = (part: Partial<Draft>): void => {
    form.change(part)
    setRefused(null)
  }
  const retype = (dataType: string): void => change({ dataType, maxLength: '', precision: '', scale: '' })
  const dropped = !there && !gone
  const edits: Edit[] = !column || gone ? [] : editsOf(table, column, differences(before, draft, false))
  const unmade = column !== undefined && isInvented(column.id)
  const trial = useTry(draft.name.trim() && form.both.length === 0 && !unmade ? edits : null)
  const type = dialect?.types.find((t) => [t.name, ...(t.aliases ?? [])].some((n) => n.toLowerCase() === bareType(draft.dataType).toLowerCase()))
  const shown = shownFields(draft, type, more, dialect?.fixedIdentity ?? false)
  const { at, rest } = blame(refused ?? trial.refusal, Object.keys(shown).filter((member) => shown[member as keyof typeof shown]))
  const blocked = !draft.name.trim() || form.both.length > 0 || dropped || gone
  const submit = async (what = edits): Promise<void> => {
    const why = what.length > 0 ? await form.save(what) : null
    setRefused(why)
    if (!why) onDone()
  }
  const addAgain = (): void => void submit(editsOf(table, null, differences(draft, draft, true)))
  return (
    <form
      className="form"
      data-testid="column-form"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault()
        if (!blocked) void submit()
      }}
    >
      <BothSides form={form} table={table.id} labels={labels} />
      {dropped && <Gone what={`Column ${before.name}`} again={{ label: 'Add it again, as it is here', run: addAgain }} />}
      <div className="columns">
        <Field label="Column name" error={at('name')}>
          <input type="text" autoFocus autoComplete="off" spellCheck={false} data-testid="column-name" value={draft.name} onChange={(e) => change({ name: e.target.value })} />
        </Field>
        <Field label="Type" error={at('dataType')}>
          <TypeInput value={draft.dataType} onChange={retype} />
        </Field>
        <NewType onMade={retype} />
        {shown.maxLength && (
          <Field label="Length" error={at('maxLength')} hint={type?.allowsMax ? 'A number, or MAX' : undefined}>
            <input type="text" inputMode="numeric" data-testid="column-length" value={draft.maxLength} onChange={(e) => change({ maxLength: e.target.value })} />
          </Field>
        )}
        {type?.precision && (
          <Field label="Precision" error={at('precision')}>
            <input type="number" min={type.precision.min} max={type.precision.max} value={draft.precision} onChange={(e) => change({ precision: e.target.value })} />
          </Field>
        )}
        {type?.scale && (
          <Field label="Scale" error={at('scale')}>
            <input type="number" min={type.scale.min} max={type.scale.max} value={draft.scale} onChange={(e) => change({ scale: e.target.value })} />
          </Field>
        )}
      </div>
      <div className="checks">
        <Check label="Primary key" test="column-key" checked={draft.isPrimaryKey} onChange={(isPrimaryKey) => change({ isPrimaryKey, ...(isPrimaryKey ? { isNullable: false } : {}) })} />
        <Check label="Nullable" test="column-nullable" checked={draft.isNullable} disabled={draft.isPrimaryKey} onChange={(isNullable) => change({ isNullable })} />
      </div>
      {shown.defaultValue && (
        <Field label="Default" error={at('defaultValue')} hint="An SQL expression, such as 0, 'open' or CURRENT_TIMESTAMP">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="column-default" value={draft.defaultValue} onChange={(e) => change({ defaultValue: e.target.value })} />
        </Field>
      )}
      <button type="button" className="button link" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? 'Less' : 'Identity, computed, collation'}
      </button>
      {more && <Rest draft={draft} change={change} at={at} canCount={type?.identity === true} fixed={dialect?.fixedIdentity ?? false} stored={dialect?.storedFormulas ?? false} />}
      <Trouble error={rest} warnings={trial.warnings} />
      <div className="dialog-actions">
        <button type="button" className="button" data-testid="cancel-column" onClick={() => leave(onDone, 'form')}>
          Back
        </button>
        <button type="submit" className="button primary" disabled={blocked} data-testid="save">
          Save
        </button>
      </div>
    </form>
  )
}

// shownFields says which members of a column the form has a field for now.
function shownFields(draft: Draft, type: TypeInfo | undefined, more: boolean, fixed: boolean) {
  return {
    name: true,
    dataType: true,
    maxLength: type !== undefined && (type.length !== 'none' || draft.maxLength !== ''),
    precision: type?.precision !== undefined,
    scale: type?.scale !== undefined,
    defaultValue: !draft.isComputed && !draft.isIdentity,
    identitySeed: more && draft.isIdentity && !fixed,
    computedFormula: more && draft.isComputed,
    collation: more,
  }
}

function editsOf(table: Table, column: Column | null, spec: ColumnSpec): Edit[] {
  if (column === null) return [{ op: 'add_column', table: { id: table.id }, column: spec }]
  return Object.keys(spec).length === 0 ? [] : [{ op: 'set_column', table: { id: table.id }, column: refTo(column), set: spec }]
}

interface RestProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  at: Blame['at']
  canCount: boolean
  fixed: boolean // identities count from 1 by 1
  stored: boolean // computed columns are always stored
}

function Rest({ draft, change, at, canCount, fixed, stored }: RestProps) {
  return (
    <>
      <div className="checks">
        <Check label="Identity" test="column-identity" checked={draft.isIdentity} disabled={!canCount && !draft.isIdentity} onChange={(isIdentity) => change({ isIdentity })} />
        <Check label="Computed" test="column-computed" checked={draft.isComputed} onChange={(isComputed) => change({ isComputed })} />
        {draft.isComputed && !stored && <Check label="Stored" checked={draft.computedPersisted} onChange={(computedPersisted) => change({ computedPersisted })} />}
      </div>
      {draft.isIdentity && !fixed && (
        <div className="columns">
          <Field label="Counts from" error={at('identitySeed')}>
            <input type="number" value={draft.identitySeed} onChange={(e) => change({ identitySeed: e.target.value })} />
          </Field>
          <Field label="By">
            <input type="number" value={draft.identityIncrement} onChange={(e) => change({ identityIncrement: e.target.value })} />
          </Field>
        </div>
      )}
      {draft.isComputed && (
        <Field label="Formula" error={at('computedFormula')}>
          <input type="text" autoComplete="off" spellCheck={false} data-testid="column-formula" value={draft.computedFormula} onChange={(e) => change({ computedFormula: e.target.value })} />
        </Field>
      )}
      <Field label="Collation" error={at('collation')} hint="Empty: the database’s own">
        <input type="text" autoComplete="off" spellCheck={false} value={draft.collation} onChange={(e) => change({ collation: e.target.value })} />
      </Field>
    </>
  )
}
