import './forms.css'
import { useState } from 'react'
import type { Table } from '../api/types'
import { useStore, type Form } from '../store/state'
import { NewTable } from './NewTable'
import { RelationForm } from './RelationForm'
import { TableForm } from './TableForm'
import { TypeForm } from './types/TypeForm'

// Forms shows the form that is open. What it edits may go meanwhile; the form
// stays with what was typed into it, and says so.
export default function Forms() {
  const form = useStore((s) => s.form)
  const table = useStore((s) => (s.form?.table != null ? s.design?.tables.get(s.form.table) : undefined))
  const [last, setLast] = useState<{ form: Form; table: Table } | null>(null)
  if (form && table && (last?.form !== form || last.table !== table)) setLast({ form, table })
  if (!form) return null
  if (form.kind === 'type') return <TypeForm key={form.type ?? ''} id={form.type} />
  if (form.kind === 'table' && form.table === null) return <NewTable at={form.at} />
  const known = table ?? (last?.form === form ? last.table : undefined)
  if (!known) return null
  const gone = table === undefined
  if (form.kind === 'relation') return <RelationForm key={`${known.id} ${form.key ?? ''}`} table={known} gone={gone} foreignKey={form.key} draft={form.draft} />
  return <TableForm key={known.id} table={known} gone={gone} form={form} />
}
