import type { Edit } from '../api/edits'
import type { Table } from '../api/types'
import { blame } from './blame'
import { Field, Trouble } from './Field'
import { leave } from '../ui/unsaved'
import { useHeld } from './useHeld'
import { useSaving } from './useSaving'
import { useTry } from './useTry'

export function CheckForm({ table, gone, onDone }: { table: Table; gone: boolean; onDone: () => void }) {
  const form = useHeld(() => ({ expression: '', name: '' }), null)
  const { expression, name } = form.draft
  const check = { expression: expression.trim(), ...(name.trim() ? { name: name.trim() } : {}) }
  const edits: Edit[] = check.expression && !gone ? [{ op: 'add_check', table: { id: table.id }, check }] : []
  const trial = useTry(edits)
  const { refused, submit } = useSaving(edits, form.save, onDone)
  const { at, rest } = blame(refused ?? trial.refusal, ['expression', 'name'])
  return (
    <form className="form" data-testid="check-form" onSubmit={submit}>
      <Field label="Check" error={at('expression')} hint="An SQL condition, such as Price >= 0">
        <input type="text" autoFocus autoComplete="off" spellCheck={false} data-testid="check-expression" value={expression} onChange={(e) => form.change({ expression: e.target.value })} />
      </Field>
      <Field label="Name" error={at('name')} hint="Empty: named after the table">
        <input type="text" autoComplete="off" spellCheck={false} value={name} onChange={(e) => form.change({ name: e.target.value })} />
      </Field>
      <Trouble error={rest} warnings={trial.warnings} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => leave(onDone, 'form')}>
          Back
        </button>
        <button type="submit" className="button primary" disabled={edits.length === 0} data-testid="save">
          Add check
        </button>
      </div>
    </form>
  )
}
