import { lazy, Suspense } from 'react'
import type { Id } from '../api/types'
import { showForm } from '../ui/showForm'
import { useStore } from '../store/state'
import { Action } from './Action'
import { LintAction } from './LintFlag'
import { askToDrop } from './removing'
import { areaAround } from './items/changing'
import { hide, showNear } from './showing'
import { showOnly } from './viewing'

const ItemActions = lazy(() => import('./items/ItemActions'))
const RelationActions = lazy(() => import('./RelationActions'))

// TableActions are what can be done with the one table that is selected. They
// stand below the canvas, where they cover no table and no panel cuts them.
export function TableActions() {
  const table = useStore((s) => (s.selected.size === 1 ? s.design?.tables.get([...s.selected][0] ?? '') : undefined))
  const many = useStore((s) => (s.selected.size > 1 ? s.selected : null))
  const item = useStore((s) => s.chosenItem)
  const key = useStore((s) => s.selectedKey)
  if (item !== null) {
    return (
      <Suspense>
        <ItemActions id={item} />
      </Suspense>
    )
  }
  if (key) {
    return (
      <Suspense>
        <RelationActions table={key.table} id={key.key} />
      </Suspense>
    )
  }
  if (many) return <ManyActions tables={[...many]} />
  if (!table) return null
  return (
    <div className="actions" role="toolbar" aria-label={`Table ${table.name}`} data-testid="table-actions">
      <Action icon="edit" label="Edit" test="edit-table" onClick={() => showForm({ kind: 'table', table: table.id })} />
      <Action icon="plus" label="Column" test="add-column" onClick={() => showForm({ kind: 'table', table: table.id, section: 'columns', focus: 'new' })} />
      <Action icon="link" label="Relate" test="add-relation" onClick={() => showForm({ kind: 'relation', table: table.id, key: null })} />
      <LintAction table={table} />
      <Action icon="copy" label="Duplicate" test="duplicate-table" spare onClick={() => void import('./adding').then((m) => m.duplicate(table.id))} />
      <Action icon="near" label="Related only" test="related-only" onClick={() => showNear(table.id)} />
      <Action icon="hide" label="Hide" test="hide-table" spare onClick={() => hide([table.id])} />
      <Action icon="trash" label="Drop" test="drop-table" onClick={() => askToDrop([table.id])} />
    </div>
  )
}

// ManyActions are what can be done with several tables that are selected.
function ManyActions({ tables }: { tables: readonly Id[] }) {
  const keeps = useStore((s) => s.items !== null)
  return (
    <div className="actions" role="toolbar" aria-label={`${tables.length} tables`} data-testid="many-actions">
      {tables.length === 2 && <Action icon="link" label="Relate many to many" test="link-tables" onClick={() => void import('./adding').then((m) => m.link(tables))} />}
      <Action icon="near" label="Only these" test="only-these" onClick={() => showOnly(tables)} />
      {keeps && <Action icon="area" label="Area around these" test="area-around" onClick={() => areaAround(tables)} />}
      <Action icon="hide" label="Hide" test="hide-tables" onClick={() => hide(tables)} />
      <Action icon="trash" label="Drop" test="drop-tables" onClick={() => askToDrop([...tables])} />
    </div>
  )
}
