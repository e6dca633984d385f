import type { Id } from '../../api/types'
import { openForm } from '../../store/actions'
import { useStore } from '../../store/state'
import { Dock } from '../../ui/Dock'
import { Icon } from '../../ui/Icon'
import { leave } from '../../ui/unsaved'
import { BothSides, Gone } from '../BothSides'
import { typeEdits, type Fields, type Value } from './draft'
import { TypeFields } from './TypeFields'
import { useTypeDraft } from './useTypeDraft'
import { nameOf, usersOf } from './words'

const labels: Record<keyof Fields, string> = {
  kind: 'Kind', schema: 'Schema', name: 'Name', comment: 'Comment', values: 'Values', base: 'Base type', notNull: 'Not null', default: 'Default', check: 'Check',
}

// TypeForm makes or changes a type of the database's own, beside the diagram.
export function TypeForm({ id }: { id: Id | null }) {
  const design = useStore((s) => s.design)
  const type = design?.types.find((t) => t.id === id) ?? null
  const close = (): void => openForm(null)
  const { form, dropped, possible, edits, refusal, warnings, make, submit, change } = useTypeDraft(id, type, close)
  const { before, draft } = form
  const users = design && type ? usersOf(design, type) : []
  const title = id === null ? 'New type' : `Type ${design ? nameOf(design, before) : before.name}`
  return (
    <Dock title={title} onClose={() => leave(close)} testId="type-form">
      <form
        className="form"
        onSubmit={(event) => {
          submit(event)
          if (possible && edits.length === 0) close() // there is nothing to save
        }}
      >
        <BothSides form={form} table="" labels={labels} words={{ values: (values: Value[]) => values.map((v) => v.name).join(', ') }} />
        {dropped && <Gone what={`Type ${before.name}`} again={{ label: 'Add it again, as it is here', run: () => make(typeEdits(null, before, draft)) }} />}
        <TypeFields type={type} draft={draft} refusal={refusal} warnings={warnings} change={change} />
        {users.length > 0 && (
          <p className="note" data-testid="type-users">
            The type of {users.slice(0, 8).join(', ')}
            {users.length > 8 && ` and ${users.length - 8} more`}
          </p>
        )}
        <div className="dialog-actions">
          {id !== null && (
            <button type="button" className="button" disabled={dropped} data-testid="drop-type" onClick={() => make([{ op: 'drop_type', type: { id } }])}>
              <Icon name="trash" /> Drop
            </button>
          )}
          <span className="spacer" />
          <button type="button" className="button" onClick={() => leave(close)}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!possible} data-testid="save">
            {id === null ? 'Add type' : 'Save'}
          </button>
        </div>
      </form>
    </Dock>
  )
}
