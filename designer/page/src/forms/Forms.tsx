import './forms.css'
import { useStore } from '../store/state'
import { NewTable } from './NewTable'
import { RelationForm } from './RelationForm'
import { TableForm } from './TableForm'

// Forms shows the form that is open. What it edits may go meanwhile; then so
// does the form.
export default function Forms() {
  const form = useStore((s) => s.form)
  const exists = useStore((s) => s.form?.table != null && s.design?.tables.has(s.form.table) === true)
  if (!form) return null
  if (form.kind === 'table' && form.table === null) return <NewTable />
  if (!exists || form.table === null) return null
  if (form.kind === 'relation') return <RelationForm key={`${form.table} ${form.key ?? ''}`} table={form.table} foreignKey={form.key} draft={form.draft} />
  return <TableForm key={form.table} id={form.table} section={form.section} focus={form.focus} />
}
