import { useState, type SyntheticEvent } from 'react'
import type { Edit, Refusal } from '../api/edits'
import type { Table } from '../api/types'
import { useStore } from '../store/state'
import { blame } from './blame'
import { Field, Trouble } from './Field'
import { SchemaInput } from './NewTable'
import { save, useTry } from './useTry'

// TableNames renames a table, or moves it to another schema.
export function TableNames({ table }: { table: Table }) {
  const schemas = useStore((s) => s.design?.schemas ?? [])
  const fixed = useStore((s) => s.dialect?.fixedSchemas ?? true)
  const [name, setName] = useState(table.name)
  const [schema, setSchema] = useState(table.schema)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const set = { ...(name.trim() !== table.name ? { name: name.trim() } : {}), ...(schema !== table.schema ? { schema } : {}) }
  const changed = Object.keys(set).length > 0
  const edits: Edit[] = changed ? [{ op: 'set_table', table: { id: table.id }, set }] : []
  const trial = useTry(edits)
  const schematic = schemas.length > 1 || !fixed
  const { at, rest } = blame(changed ? (refused ?? trial.refusal) : null, ['name', ...(schematic ? ['schema'] : [])])
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (changed) void save(edits).then(setRefused)
  }
  return (
    <form className="names" onSubmit={submit}>
      <Field label="Name" error={at('name')}>
        <input type="text" autoComplete="off" spellCheck={false} data-testid="table-name" value={name} onChange={(e) => setName(e.target.value)} />
      </Field>
      {schematic && (
        <Field label="Schema" error={at('schema')}>
          <SchemaInput value={schema} schemas={schemas} fixed={fixed} onChange={setSchema} />
        </Field>
      )}
      <Trouble error={rest} />
      {changed && (
        <button type="submit" className="button primary" data-testid="save-names">
          Rename
        </button>
      )}
    </form>
  )
}
