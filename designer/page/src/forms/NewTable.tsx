import { useMemo, useState, type SyntheticEvent } from 'react'
import type { Edit, Refusal } from '../api/edits'
import type { Position } from '../api/types'
import { putNext, reveal } from '../canvas/view'
import { openForm } from '../store/actions'
import { whenThere } from '../store/queue'
import { useStore } from '../store/state'
import { Dock } from '../ui/Dock'
import { leave, useUnsaved } from '../ui/unsaved'
import { blame } from './blame'
import { Field, Trouble } from './Field'
import { typeInfo } from './grid/row'
import { keyHabit, type KeyHabit } from './keyName'
import { save, useTry } from './useTry'

// NewTable asks for a name and proposes a key column, so that the table can
// be published as it is.
export function NewTable({ at: place }: { at: Position | undefined }) {
  const dialect = useStore((s) => s.dialect)
  const schemas = useStore((s) => s.design?.schemas ?? [])
  const [name, setName] = useState('')
  const [schema, setSchema] = useState(dialect?.defaultSchema ?? '')
  const [typedKey, setKey] = useState<string | null>(null) // null: as the schema's others
  const habit = useHabit()
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const key = typedKey ?? habit.name(name.trim() || 'table')
  const type = habit.dataType ?? dialect?.types.find((t) => t.identity)?.name ?? dialect?.types[0]?.name ?? 'int'
  const counts = typeInfo(dialect, type)?.identity === true
  const table = { name: name.trim(), ...(schema ? { schema } : {}) }
  const column = { name: key.trim(), dataType: type, isPrimaryKey: true, ...(counts ? { isIdentity: true } : {}) }
  const made = isNew(schema, schemas)
  const edits: Edit[] = [{ op: 'add_table', table, ...(made ? { createSchema: true } : {}), ...(key.trim() ? { initialColumns: [column] } : {}) }]
  const trial = useTry(table.name ? edits : null)
  useUnsaved(!busy && (name.trim() !== '' || typedKey !== null))
  const close = (): void => leave(() => openForm(null))
  const schematic = schemas.length > 1 || dialect?.fixedSchemas === false
  const { at, rest } = blame(refused ?? trial.refusal, ['name', 'initialColumns', ...(schematic ? ['schema'] : [])])
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (!table.name || busy) return
    setBusy(true)
    putNext(place ?? null)
    void save(edits).then((why) => {
      putNext(null)
      setBusy(false)
      setRefused(why)
      if (!why) void finish(schema, table.name)
    })
  }
  return (
    <Dock title="New table" onClose={close} testId="new-table">
      <form onSubmit={submit} className="form">
        <div className="columns">
        <Field label="Name" error={at('name')}>
          <input
            type="text"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            data-testid="table-name"
            value={name}
            onChange={(e) => {
              setName(e.target.value)
              setRefused(null)
            }}
          />
        </Field>
        {schematic && (
          <Field label="Schema" error={at('schema')} hint={made ? newSchema : undefined}>
            <SchemaInput value={schema} schemas={schemas} fixed={dialect?.fixedSchemas ?? true} onChange={setSchema} />
          </Field>
        )}
        <Field label="Key column" error={at('initialColumns')} hint={`${type}${counts ? ', identity' : ''}. Leave it empty for a table without a key.`}>
          <input type="text" autoComplete="off" spellCheck={false} data-testid="table-key" value={key} onChange={(e) => setKey(e.target.value)} />
        </Field>
        </div>
        <Trouble error={rest} warnings={trial.warnings} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!table.name || busy} data-testid="save">
            Add table
          </button>
        </div>
      </form>
    </Dock>
  )
}

// newSchema is said of a schema that publishing would create.
export const newSchema = 'A new schema: publishing creates it.'

// isNew reports whether a schema is none of those that there are.
export function isNew(schema: string, schemas: readonly string[]): boolean {
  const known = (name: string): boolean => name.toLowerCase() === schema.toLowerCase()
  return schema !== '' && !schemas.some(known)
}

function useHabit(): KeyHabit {
  const design = useStore((s) => s.confirmed)
  const dialect = useStore((s) => s.dialect)
  return useMemo(() => keyHabit(design, dialect), [design, dialect])
}

// finish continues with the table's columns, with the table in view.
async function finish(schema: string, name: string): Promise<void> {
  const made = await whenThere(schema, name)
  openForm(made ? { kind: 'table', table: made.id, focus: 'new' } : null)
  if (made) setTimeout(() => reveal([made.id])) // once it has its place
}

interface SchemaInputProps {
  value: string
  schemas: readonly string[]
  fixed: boolean // only those that the database has
  onChange: (schema: string) => void
  id?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string | undefined
}

export function SchemaInput({ value, schemas, fixed, onChange, id, ...rest }: SchemaInputProps) {
  if (fixed) {
    return (
      <select id={id} value={value} data-testid="table-schema" onChange={(e) => onChange(e.target.value)} {...rest}>
        {schemas.map((s) => (
          <option key={s}>{s}</option>
        ))}
      </select>
    )
  }
  return (
    <>
      <input type="text" id={id} list="schemas" value={value} autoComplete="off" data-testid="table-schema" onChange={(e) => onChange(e.target.value)} {...rest} />
      <datalist id="schemas">
        {schemas.map((s) => (
          <option key={s} value={s} />
        ))}
      </datalist>
    </>
  )
}
