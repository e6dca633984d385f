import type { Id, Table } from '../api/types'
import { columnById } from '../store/design'
import { useStore } from '../store/state'
import { leave } from '../ui/unsaved'
import { blame } from './blame'
import { BothSides, Gone } from './BothSides'
import { Check, Field, Trouble, Wrong } from './Field'
import { fieldsOf, indexEdits, isWhole, withMethod, type Fields } from './indexes/draft'
import { Included } from './indexes/Included'
import { KeyFields } from './indexes/KeyFields'
import './indexes/indexes.css'
import { methodsOf, takes } from './indexes/methods'
import { partsWords } from './indexes/words'
import { useHeld } from './useHeld'
import { useSaving } from './useSaving'
import { useTry } from './useTry'

interface IndexFormProps {
  table: Table
  gone: boolean // the table is
  id: Id | null // null: a new one
  onDone: () => void
}

export function IndexForm({ table, gone, id, onDone }: IndexFormProps) {
  const dialect = useStore((s) => s.dialect)
  const methods = methodsOf(dialect, table.id)
  const ordinary = methods[0]?.name ?? ''
  const index = table.indexes?.find((x) => x.id === id) ?? null
  const form = useHeld<Fields>(() => fieldsOf(null, ordinary), index && fieldsOf(index, ordinary))
  const { before, draft } = form
  const dropped = id !== null && index === null && !gone
  const possible = isWhole(table, draft) && form.both.length === 0 && !dropped && !gone
  const edits = possible ? indexEdits(table, id, before, draft) : []
  const trial = useTry(edits)
  const { refused, make, submit, forget } = useSaving(edits, form.save, onDone)
  const shows = {
    where: takes(methods, draft.method, 'where') || draft.where !== '',
    include: takes(methods, draft.method, 'include') || draft.include.length > 0,
    method: methods.length > 1 || draft.method !== ordinary,
    unique: takes(methods, draft.method, 'unique') || draft.unique,
    columns: true,
    name: true,
  }
  const { at, rest } = blame(refused ?? trial.refusal, Object.entries(shows).flatMap(([member, shown]) => (shown ? [member] : [])))
  const change = (part: Partial<Fields>): void => {
    form.change(part)
    forget()
  }
  const again = { label: 'Add it again, as it is here', run: () => make(indexEdits(table, null, fieldsOf(null, ordinary), draft)) }
  return (
    <form
      className="form"
      data-testid="index-form"
      onSubmit={(event) => {
        submit(event)
        if (possible && edits.length === 0) onDone() // there is nothing to save
      }}
    >
      <BothSides
        form={form}
        table={table.id}
        labels={{ name: 'Name', unique: 'Unique', method: 'Method', where: 'Filter (WHERE)', parts: 'Columns', include: 'Included columns' }}
        words={{ parts: (parts: Fields['parts']) => partsWords(table, parts), include: (ids: Id[]) => ids.map((column) => columnById(table, column)?.name ?? '?').join(', ') }}
      />
      {dropped && <Gone what={`Index ${before.name}`} again={again} />}
      {shows.method && (
        <Field label="Method" error={at('method')}>
          <select data-testid="index-method" value={draft.method} onChange={(e) => change(withMethod(before, draft, e.target.value))}>
            {[...new Set([...methods.map((m) => m.name), before.method])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      )}
      <KeyFields table={table} methods={methods} title={dialect?.title ?? ''} method={draft.method} parts={draft.parts} onChange={(parts) => change({ parts })}>
        <Wrong text={at('columns')} />
      </KeyFields>
      {shows.include && (
        <Included table={table} columns={draft.include} keys={draft.parts.map((p) => p.column)} onChange={(include) => change({ include })}>
          <Wrong text={at('include')} />
        </Included>
      )}
      {shows.unique && <Check label="Unique" test="index-unique" checked={draft.unique} onChange={(unique) => change({ unique })} />}
      <Wrong text={at('unique')} />
      {shows.where && (
        <Field label="Filter (WHERE)" error={at('where')} hint="An SQL condition; empty: all rows">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="index-where" value={draft.where} onChange={(e) => change({ where: e.target.value })} />
        </Field>
      )}
      <Field label="Name" error={at('name')} hint="Empty: named after its columns">
        <input type="text" autoComplete="off" spellCheck={false} data-testid="index-name" value={draft.name} onChange={(e) => change({ name: e.target.value })} />
      </Field>
      <Trouble error={rest} warnings={trial.warnings} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => leave(onDone, 'form')}>
          Back
        </button>
        <button type="submit" className="button primary" disabled={!possible} data-testid="save">
          {id === null ? 'Add index' : 'Save'}
        </button>
      </div>
    </form>
  )
}
