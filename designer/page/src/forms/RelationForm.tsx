import { useState, type SyntheticEvent } from 'react'
import type { Edit, ForeignKeySpec, Refusal } from '../api/edits'
import type { Action, ForeignKey, Id, Table } from '../api/types'
import { askToDropKey } from '../canvas/removing'
import { openForm } from '../store/actions'
import { columnById, fullName, type Design } from '../store/design'
import { useStore } from '../store/state'
import { Dock } from '../ui/Dock'
import { Icon } from '../ui/Icon'
import { leave } from '../ui/unsaved'
import { blame } from './blame'
import { BothSides, Gone } from './BothSides'
import { Field, Trouble, Wrong } from './Field'
import { MappingFields, type Pair } from './MappingFields'
import { Unindexed } from './Unindexed'
import { useHeld } from './useHeld'
import { useTry } from './useTry'

interface RelationFormProps {
  table: Table // that refers
  gone: boolean // it is
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

export function RelationForm({ table, gone, foreignKey, draft }: RelationFormProps) {
  const design = useStore((s) => s.design)
  const actions = useStore((s) => s.dialect?.actions ?? ['no_action' as const])
  const key = table.foreignKeys?.find((k) => k.id === foreignKey)
  const there = design !== null && !gone && (key !== undefined || foreignKey === null)
  const form = useHeld<Fields>(() => blank, there ? fieldsOf(design, table, key, draft) : null)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const fields = form.draft
  const target = design?.tables.get(fields.refTable)
  const dropped = foreignKey !== null && key === undefined && !gone
  const blocked = gone || dropped || form.both.length > 0
  const edits = target && !blocked ? editsOf(table, target, foreignKey, fields) : []
  const trial = useTry(edits)
  if (!design) return null
  const { at, rest } = blame(refused ?? trial.refusal, ['referencedTable', 'mappings', 'onDeleteAction', 'onUpdateAction', 'name'])
  const change = (part: Partial<Fields>): void => {
    form.change(part)
    setRefused(null)
  }
  const close = (): void => leave(() => openForm(null))
  const make = (what: Edit[]): void => {
    if (what.length === 0) return
    void form.save(what).then((why) => {
      setRefused(why)
      if (!why) openForm(null)
    })
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    make(edits)
  }
  const again = target && { label: 'Add it again, as it is here', run: () => make(editsOf(table, target, null, fields)) }
  const tableName = (id: Id): string => fullNameOf(design, id)
  return (
    <Dock title={foreignKey === null ? `Relate ${fullName(table)}` : `Foreign key of ${fullName(table)}`} onClose={close} testId="relation-form">
      <form className="form" onSubmit={submit}>
        <BothSides form={form} table={table.id} labels={labels} words={{ refTable: tableName, pairs: wordsOf, onDelete: wordOf, onUpdate: wordOf }} />
        {gone && <Gone what={`Table ${fullName(table)}`}>What you chose is still here; undo brings the table back.</Gone>}
        {dropped && <Gone what={`Foreign key ${form.before.name}`} again={again} />}
        <Field label="Refers to table" error={fields.refTable && !target ? 'That table was dropped meanwhile: choose another one.' : at('referencedTable')}>
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
        {key && there && <Unindexed table={table} foreignKey={key} />}
        <div className="dialog-actions">
          {foreignKey !== null && (
            <button
              type="button"
              className="button"
              disabled={gone || dropped}
              data-testid="drop-relation"
              onClick={() =>
                leave(() => {
                  openForm(null)
                  askToDropKey(table.id, foreignKey)
                })
              }
            >
              <Icon name="trash" /> Drop
            </button>
          )}
          <span className="spacer" />
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={edits.length === 0} data-testid="save">
            {foreignKey === null ? 'Relate' : 'Save'}
          </button>
        </div>
      </form>
    </Dock>
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

const blank: Fields = { name: '', refTable: '', pairs: [], onDelete: 'no_action', onUpdate: 'no_action' }

const labels: Record<keyof Fields, string> = { name: 'Name', refTable: 'Refers to table', pairs: 'Columns', onDelete: 'On delete', onUpdate: 'On update' }

function fullNameOf(design: Design, id: Id): string {
  const table = design.tables.get(id)
  return table ? fullName(table) : 'a table that was dropped'
}

function wordsOf(pairs: Pair[]): string {
  return pairs.map((p) => `${p.column} → ${p.referencedColumn}`).join(', ')
}

function wordOf(action: Action): string {
  return actionWords[action]
}

function fieldsOf(design: Design, table: Table, key: ForeignKey | undefined, draft: RelationFormProps['draft']): Fields {
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
