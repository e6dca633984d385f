import type { Id } from '../api/types'
import { showForm } from '../ui/showForm'
import { store, useStore } from '../store/state'
import { Icon, type IconName } from '../ui/Icon'
import { askToDrop } from './removing'

// TableActions are what can be done with the one table that is selected. They
// stand below the canvas, where they cover no table and no panel cuts them.
export function TableActions() {
  const table = useStore((s) => (s.selected.size === 1 ? s.design?.tables.get([...s.selected][0] ?? '') : undefined))
  if (!table) return null
  return (
    <div className="actions" role="toolbar" aria-label={`Table ${table.name}`} data-testid="table-actions">
      <Action icon="edit" label="Edit" test="edit-table" onClick={() => showForm({ kind: 'table', table: table.id })} />
      <Action icon="plus" label="Column" test="add-column" onClick={() => showForm({ kind: 'table', table: table.id, section: 'columns', focus: 'new' })} />
      <Action icon="link" label="Relate" test="add-relation" onClick={() => showForm({ kind: 'relation', table: table.id, key: null })} />
      <Action icon="near" label="Related only" test="related-only" onClick={() => around(table.id)} />
      <Action icon="trash" label="Drop" test="drop-table" onClick={() => askToDrop([table.id])} />
    </div>
  )
}

function Action({ icon, label, test, onClick }: { icon: IconName; label: string; test: string; onClick: () => void }) {
  return (
    <button type="button" className="action" title={label} aria-label={label} data-testid={test} onClick={onClick}>
      <Icon name={icon} />
      <span className="action-label">{label}</span>
    </button>
  )
}

function around(table: Id): void {
  store.set((s) => ({ filter: { ...s.filter, around: { table, distance: 1 } } }))
}
