import { useState, type SyntheticEvent } from 'react'
import type { Edit, Refusal } from '../api/edits'
import type { Table } from '../api/types'
import { useStore } from '../store/state'
import { blame } from './blame'
import { BothSides } from './BothSides'
import { Field, Trouble } from './Field'
import { isNew, newSchema, SchemaInput } from './NewTable'
import { useHeld, type HeldForm } from './useHeld'
import { useTry } from './useTry'

interface Names {
  name: string
  schema: string
  comment: string
}

export interface NamesForm {
  held: HeldForm<Names>
  edits: Edit[]
  refused: Refusal | null
  save: () => Promise<boolean> // whether there is nothing left to save
}

// useNames is the draft of a table's name and schema.
export function useNames(table: Table, gone: boolean): NamesForm {
  const schemas = useStore((s) => s.design?.schemas ?? [])
  const held = useHeld<Names>(() => namesOf(table), gone ? null : namesOf(table), 'names')
  const [refused, setRefused] = useState<Refusal | null>(null)
  const { before, draft } = held
  const name = draft.name.trim()
  const set = { ...(name !== before.name ? { name } : {}), ...(draft.schema !== before.schema ? { schema: draft.schema } : {}), ...(draft.comment !== before.comment ? { comment: draft.comment.trim() } : {}) }
  const edits: Edit[] = Object.keys(set).length > 0 ? [{ op: 'set_table', table: { id: table.id }, ...(set.schema !== undefined && isNew(set.schema, schemas) ? { createSchema: true } : {}), set }] : []
  const save = async (): Promise<boolean> => {
    if (edits.length === 0) return true
    if (gone || held.both.length > 0) return false
    const why = await held.save(edits)
    setRefused(why)
    return why === null
  }
  const change = (part: Partial<Names>): void => {
    held.change(part)
    setRefused(null)
  }
  return { held: { ...held, change }, edits, refused, save }
}

function namesOf({ name, schema, comment = '' }: Table): Names {
  return { name, schema, comment }
}

// TableNames renames a table, moves it to another schema or says what it is for.
export function TableNames({ table, form, gone }: { table: Table; form: NamesForm; gone: boolean }) {
  const schemas = useStore((s) => s.design?.schemas ?? [])
  const fixed = useStore((s) => s.dialect?.fixedSchemas ?? true)
  const comments = useStore((s) => s.dialect?.comments ?? false)
  const { held, edits, refused } = form
  const trial = useTry(gone || held.both.length > 0 ? null : edits)
  const schematic = schemas.length > 1 || !fixed
  const { at, rest } = blame(edits.length > 0 ? (refused ?? trial.refusal) : null, ['name', ...(schematic ? ['schema'] : []), ...(comments ? ['comment'] : [])])
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    void form.save()
  }
  return (
    <>
      <BothSides form={held} table={table.id} labels={{ name: 'Name', schema: 'Schema', comment: 'Comment' }} />
      <form className="names" onSubmit={submit}>
        <Field label="Name" error={at('name')}>
          <input type="text" autoComplete="off" spellCheck={false} data-testid="table-name" value={held.draft.name} onChange={(e) => held.change({ name: e.target.value })} />
        </Field>
        {schematic && (
          <Field label="Schema" error={at('schema')} hint={isNew(held.draft.schema, schemas) ? newSchema : undefined}>
            <SchemaInput value={held.draft.schema} schemas={schemas} fixed={fixed} onChange={(schema) => held.change({ schema })} />
          </Field>
        )}
        {comments && (
          <Field label="Comment" error={at('comment')}>
            <input type="text" autoComplete="off" data-testid="table-comment" value={held.draft.comment} onChange={(e) => held.change({ comment: e.target.value })} />
          </Field>
        )}
        <Trouble error={rest} />
        {edits.length > 0 && (
          <button type="submit" className="button primary" disabled={gone || held.both.length > 0} data-testid="save-names">
            Save
          </button>
        )}
      </form>
    </>
  )
}
