import { useState } from 'react'
import type { Edit, IndexSpec } from '../api/edits'
import type { Index, Table } from '../api/types'
import { columnById } from '../store/design'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { blame } from './blame'
import { Check, Field, Trouble, Wrong } from './Field'
import { useSaving } from './useSaving'
import { useTry } from './useTry'

interface Part {
  name: string
  descending: boolean
}

export function IndexForm({ table, index, onDone }: { table: Table; index: Index | null; onDone: () => void }) {
  const partial = useStore((s) => s.dialect?.noPartialIndexes !== true)
  const [name, setName] = useState(index?.name ?? '')
  const [unique, setUnique] = useState(index?.unique ?? false)
  const [where, setWhere] = useState(index?.where ?? '')
  const [parts, setParts] = useState<Part[]>(() => partsOf(table, index))
  const chosen = parts.filter((p) => p.name !== '')
  const spec: IndexSpec = { unique, columns: chosen, ...(name.trim() ? { name: name.trim() } : {}), ...(where.trim() || index?.where ? { where: where.trim() } : {}) }
  const edits = chosen.length > 0 ? indexEdits(table, index, spec) : []
  const trial = useTry(edits)
  const { refused, submit, forget } = useSaving(edits, onDone)
  const { at, rest } = blame(refused ?? trial.refusal, ['name', 'columns', ...(partial ? ['where'] : [])])
  const change = (at: number, part: Partial<Part>): void => {
    setParts(parts.map((p, i) => (i === at ? { ...p, ...part } : p)))
    forget()
  }
  return (
    <form className="form" data-testid="index-form" onSubmit={submit}>
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
      <Check label="Unique" test="index-unique" checked={unique} onChange={setUnique} />
      {partial && (
        <Field label="Only rows where" error={at('where')} hint="An SQL condition; empty: all rows">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="index-where" value={where} onChange={(e) => setWhere(e.target.value)} />
        </Field>
      )}
      <Field label="Name" error={at('name')} hint="Empty: named after its columns">
        <input type="text" autoComplete="off" spellCheck={false} data-testid="index-name" value={name} onChange={(e) => setName(e.target.value)} />
      </Field>
      <Trouble error={rest} warnings={trial.warnings} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onDone}>
          Back
        </button>
        <button type="submit" className="button primary" disabled={edits.length === 0} data-testid="save">
          {index === null ? 'Add index' : 'Save'}
        </button>
      </div>
    </form>
  )
}

function partsOf(table: Table, index: Index | null): Part[] {
  const parts = (index?.parts ?? []).map((p) => ({ name: columnById(table, p.column)?.name ?? '', descending: p.descending === true }))
  return parts.length > 0 ? parts : [{ name: '', descending: false }]
}

function indexEdits(table: Table, index: Index | null, spec: IndexSpec): Edit[] {
  if (index === null) return [{ op: 'add_index', table: { id: table.id }, index: spec }]
  return [{ op: 'set_index', table: { id: table.id }, index: { id: index.id }, set: spec }]
}
