import type { Edit, IndexSpec } from '../api/edits'
import type { Id, Index, Table } from '../api/types'
import { columnById } from '../store/design'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { leave } from '../ui/unsaved'
import { blame } from './blame'
import { BothSides, Gone } from './BothSides'
import { Check, Field, Trouble, Wrong } from './Field'
import { useHeld } from './useHeld'
import { useSaving } from './useSaving'
import { useTry } from './useTry'

interface Part {
  name: string
  descending: boolean
}

interface Fields {
  name: string
  unique: boolean
  where: string
  parts: Part[]
}

interface IndexFormProps {
  table: Table
  gone: boolean // the table is
  id: Id | null // null: a new one
  onDone: () => void
}

export function IndexForm({ table, gone, id, onDone }: IndexFormProps) {
  const partial = useStore((s) => s.dialect?.noPartialIndexes !== true)
  const index = table.indexes?.find((x) => x.id === id) ?? null
  const form = useHeld<Fields>(() => fieldsOf(table, null), index && fieldsOf(table, index))
  const { before } = form
  const { name, unique, where, parts } = form.draft
  const setParts = (next: Part[]): void => form.change({ parts: next })
  const dropped = id !== null && index === null && !gone
  const chosen = parts.filter((p) => p.name !== '')
  const spec: IndexSpec = { unique, columns: chosen, ...(name.trim() ? { name: name.trim() } : {}), ...(where.trim() || before.where ? { where: where.trim() } : {}) }
  const edits = chosen.length > 0 && form.both.length === 0 && !dropped && !gone ? indexEdits(table, id, spec) : []
  const trial = useTry(edits)
  const { refused, make, submit, forget } = useSaving(edits, form.save, onDone)
  const { at, rest } = blame(refused ?? trial.refusal, ['name', 'columns', ...(partial ? ['where'] : [])])
  const change = (at: number, part: Partial<Part>): void => {
    setParts(parts.map((p, i) => (i === at ? { ...p, ...part } : p)))
    forget()
  }
  return (
    <form className="form" data-testid="index-form" onSubmit={submit}>
      <BothSides form={form} table={table.id} labels={{ name: 'Name', unique: 'Unique', where: 'Filter (WHERE)', parts: 'Columns' }} words={{ parts: wordsOf }} />
      {dropped && <Gone what={`Index ${before.name}`} again={{ label: 'Add it again, as it is here', run: () => make(indexEdits(table, null, spec)) }} />}
      <fieldset className="mappings">
        <legend>Columns, in order</legend>
        {parts.map((p, i) => (
          <div key={i} className="mapping">
            <select aria-label={`Column ${i + 1}`} data-testid={`index-column-${i}`} value={p.name} onChange={(e) => change(i, { name: e.target.value })}>
              <option value="">Choose …</option>
              {table.columns.map((c) => (
                <option key={c.id}>{c.name}</option>
              ))}
            </select>
            <Check label="Descending" checked={p.descending} onChange={(descending) => change(i, { descending })} />
            <button type="button" className="icon-button" aria-label={`Remove column ${i + 1}`} disabled={parts.length === 1} onClick={() => setParts(parts.filter((_, o) => o !== i))}>
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button type="button" className="button small" onClick={() => setParts([...parts, { name: '', descending: false }])}>
          <Icon name="plus" /> Another column
        </button>
        <Wrong text={at('columns')} />
      </fieldset>
      <Check label="Unique" test="index-unique" checked={unique} onChange={(next) => form.change({ unique: next })} />
      {partial && (
        <Field label="Filter (WHERE)" error={at('where')} hint="An SQL condition; empty: all rows">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="index-where" value={where} onChange={(e) => form.change({ where: e.target.value })} />
        </Field>
      )}
      <Field label="Name" error={at('name')} hint="Empty: named after its columns">
        <input type="text" autoComplete="off" spellCheck={false} data-testid="index-name" value={name} onChange={(e) => form.change({ name: e.target.value })} />
      </Field>
      <Trouble error={rest} warnings={trial.warnings} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => leave(onDone, 'form')}>
          Back
        </button>
        <button type="submit" className="button primary" disabled={edits.length === 0} data-testid="save">
          {id === null ? 'Add index' : 'Save'}
        </button>
      </div>
    </form>
  )
}

function fieldsOf(table: Table, index: Index | null): Fields {
  return { name: index?.name ?? '', unique: index?.unique ?? false, where: index?.where ?? '', parts: partsOf(table, index) }
}

function partsOf(table: Table, index: Index | null): Part[] {
  const parts = (index?.parts ?? []).map((p) => ({ name: columnById(table, p.column)?.name ?? '', descending: p.descending === true }))
  return parts.length > 0 ? parts : [{ name: '', descending: false }]
}

function wordsOf(parts: Part[]): string {
  return parts.map((p) => `${p.name}${p.descending ? ' descending' : ''}`).join(', ')
}

function indexEdits(table: Table, id: Id | null, spec: IndexSpec): Edit[] {
  if (id === null) return [{ op: 'add_index', table: { id: table.id }, index: spec }]
  return [{ op: 'set_index', table: { id: table.id }, index: { id }, set: spec }]
}
