import type { Id, Table } from '../api/types'
import { focusTable } from '../canvas/view'
import { refTo } from '../store/apply'
import { columnById, type Design } from '../store/design'
import { editAloud } from '../store/queue'
import { store } from '../store/state'
import { undoOf } from '../store/steps'
import { toast } from '../store/toasts'
import type { Choice } from '../ui/choice'
import { showForm } from '../ui/showForm'

// ofColumn is for a column of a table, with the relations that it is part of.
export function ofColumn(design: Design, table: Table, column: Id): Choice[] {
  const keys = (table.foreignKeys ?? []).filter((k) => k.mappings.some((m) => m.column === column))
  const related = keys.flatMap((k): Choice[] => {
    const parent = design.tables.get(k.refTable ?? '')
    if (!parent) return []
    return [
      { icon: 'link', label: `Edit the relation to ${parent.name}`, test: `edit-relation-${parent.name}`, run: () => showForm({ kind: 'relation', table: table.id, key: k.id }) },
      { icon: 'up', label: `Go to ${parent.name}`, test: `go-to-${parent.name}`, run: () => focusTable(parent.id) },
    ]
  })
  return [
    { icon: 'edit', label: 'Edit column', test: 'edit-column', run: () => showForm({ kind: 'table', table: table.id, column }) },
    { icon: 'edit', label: 'Rename column', test: 'rename-column', run: () => store.set({ renaming: { table: table.id, column } }) },
    ...related,
    { icon: 'trash', label: 'Drop column', test: 'drop-column', run: () => void dropColumn(table.id, column) },
  ]
}

// dropColumn drops a column at once, as the editor's grid does, and says how to
// have it back.
export async function dropColumn(table: Id, id: Id): Promise<void> {
  const { design } = store.get()
  const found = design?.tables.get(table)
  const column = found && columnById(found, id)
  if (!column) return
  const outcome = await editAloud([{ op: 'drop_column', table: { id: table }, column: refTo(column) }], design)
  if (outcome.success) toast('info', `Dropped column ${column.name} of ${found.name}.`, undoOf(outcome.version))
}
