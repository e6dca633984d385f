import { useState, type SyntheticEvent } from 'react'
import type { Edit, ForeignKeySpec, Refusal } from '../api/edits'
import type { Action, Id, Table } from '../api/types'
import { askToDropKey } from '../canvas/removing'
import { openForm } from '../store/actions'
import { columnById, fullName, type Design } from '../store/design'
import { useStore } from '../store/state'
import { Dialog } from '../ui/Dialog'
import { Icon } from '../ui/Icon'
import { blame } from './blame'
import { Field, Trouble, Wrong } from './Field'
import { MappingFields, type Pair } from './MappingFields'
import { save, useTry } from './useTry'

interface RelationFormProps {
  table: Id // that refers
  foreignKey: Id | null // null: a new one
  draft: { column: Id; refTable: Id; refColumn: Id } | undefined
}

interface Fields {
  name: string
  refTable: Id
  pairs: Pair[]
  onDelete: Action
  onUpdate: Action
}

const actionWords: Record<Action, string> = {
  no_action: 'No action',
  restrict: 'Restrict',
  cascade: 'Cascade',
  set_null: 'Set null',
  set_default: 'Set default',
}

export function RelationForm({ table: id, foreignKey, draft }: RelationFormProps) {
  const design = useStore((s) => s.design)
  const actions = useStore((s) => s.dialect?.actions ?? ['no_action' as const])
  const [fields, setFields] = useState(() => (design ? fieldsOf(design, id, foreignKey, draft) : null))
  const [refused, setRefused] = useState<Refusal | null>(null)
  const table = design?.tables.get(id)
  const target = design?.tables.get(fields?.refTable ?? '')
  const edits = table && target && fields ? editsOf(table, target, foreignKey, fields) : []
  const trial = useTry(edits)
  if (!design || !table || !fields) return null
  const { at, rest } = blame(refused ?? trial.refusal, ['referencedTable', 'mappings', 'onDeleteAction', 'onUpdateAction', 'name'])
  const change = (part: Partial<Fields>): void => {
    setFields({ ...fields, ...part })
    setRefused(null)
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    void save(edits).then((why) => {
      setRefused(why)
      if (!why) openForm(null)
    })
  }
  return (
    <Dialog title={foreignKey === null ? `Relate ${fullName(table)}` : `Foreign key of ${fullName(table)}`} onClose={() => openForm(null)} testId="relation-form" wide>
      <form className="form" onSubmit={submit}>
        <Field label="Refers to table" error={at('referencedTable')}>
          <select
            data-testid="relation-target"
            value={fields.refTable}
            onChange={(e) => change({ refTable: e.target.value, pairs: proposed(table, design.tables.get(e.target.value)) })}
          >
            <option value="">Choose a table …</option>
            {[...design.tables.values()]
              .sort((a, b) => fullName(a).localeCompare(fullName(b)))
              .map((t) => (
                <option key={t.id} value={t.id}>
                  {fullName(t)}
                </option>
              ))}
          </select>
        </Field>
        {target && <MappingFields table={table} target={target} pairs={fields.pairs} onChange={(pairs) => change({ pairs })} />}
        <Wrong text={at('mappings')} />
        <div className="columns">
          <Choice label="On delete" error={at('onDeleteAction')} test="on-delete" actions={actions} value={fields.onDelete} onChange={(onDelete) => change({ onDelete })} />
          <Choice label="On update" error={at('onUpdateAction')} test="on-update" actions={actions} value={fields.onUpdate} onChange={(onUpdate) => change({ onUpdate })} />
        </div>
        <Field label="Name" error={at('name')} hint="Empty: named after the two tables">
          <input type="text" autoComplete="off" spellCheck={false} data-testid="relation-name" value={fields.name} onChange={(e) => change({ name: e.target.value })} />
        </Field>
        <Trouble error={rest} warnings={trial.warnings} />
        <div className="dialog-actions">
          {foreignKey !== null && (
            <button
              type="button"
              className="button"
              data-testid="drop-relation"
              onClick={() => {
                openForm(null)
                askToDropKey(id, foreignKey)
              }}
            >
              <Icon name="trash" /> Drop
            </button>
          )}
          <span className="spacer" />
          <button type="button" className="button" onClick={() => openForm(null)}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={edits.length === 0} data-testid="save">
            {foreignKey === null ? 'Relate' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ChoiceProps {
  label: string
  error: string | undefined
  test: string
  actions: readonly Action[]
  value: Action
  onChange: (action: Action) => void
}

function Choice({ label, error, test, actions, value, onChange }: ChoiceProps) {
  return (
    <Field label={label} error={error}>
      <select data-testid={test} value={value} onChange={(e) => onChange(e.target.value as Action)}>
        {actions.map((a) => (
          <option key={a} value={a}>
            {actionWords[a]}
          </option>
        ))}
      </select>
    </Field>
  )
}

function fieldsOf(design: Design, id: Id, foreignKey: Id | null, draft: RelationFormProps['draft']): Fields {
  const table = design.tables.get(id)
  const key = table?.foreignKeys?.find((k) => k.id === foreignKey)
  const target = design.tables.get(key?.refTable ?? draft?.refTable ?? '')
  const name = (t: Table | undefined, column: Id | undefined): string => (t && columnById(t, column)?.name) ?? ''
  const pairs = key
    ? key.mappings.map((m) => ({ column: name(table, m.column), referencedColumn: name(target, m.refColumn) }))
    : draft
      ? [{ column: name(table, draft.column), referencedColumn: name(target, draft.refColumn) }]
      : []
  return { name: key?.name ?? '', refTable: target?.id ?? '', pairs, onDelete: key?.onDelete ?? 'no_action', onUpdate: key?.onUpdate ?? 'no_action' }
}

// proposed pairs the target's key with columns that are called like it.
function proposed(table: Table, target: Table | undefined): Pair[] {
  if (!target) return []
  const keys = target.primaryKey?.columns ?? []
  const pairs = keys.map((id) => {
    const ref = columnById(target, id)?.name ?? ''
    const names = [ref, `${target.name}${ref}`, `${target.name}_${ref}`].map((n) => n.toLowerCase())
    const own = table.id === target.id ? undefined : table.columns.find((c) => names.includes(c.name.toLowerCase()))
    return { column: own?.name ?? '', referencedColumn: ref }
  })
  return pairs.length > 0 ? pairs : [{ column: '', referencedColumn: '' }]
}

function editsOf(table: Table, target: Table, foreignKey: Id | null, fields: Fields): Edit[] {
  if (fields.pairs.length === 0 || fields.pairs.some((p) => !p.column || !p.referencedColumn)) return []
  const spec: ForeignKeySpec = { referencedTable: { id: target.id }, mappings: fields.pairs, onDeleteAction: fields.onDelete, onUpdateAction: fields.onUpdate }
  if (fields.name.trim()) spec.name = fields.name.trim()
  if (foreignKey === null) return [{ op: 'add_foreign_key', table: { id: table.id }, foreignKey: spec }]
  return [{ op: 'set_foreign_key', table: { id: table.id }, foreignKey: { id: foreignKey }, set: spec }]
}
