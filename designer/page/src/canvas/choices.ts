import type { Finding } from '../api/lint'
import type { Id } from '../api/types'
import type { Design } from '../store/design'
import type { Choice } from '../ui/choice'
import { showForm } from '../ui/showForm'
import { areaAround } from './items/changing'
import { askToDrop, askToDropKey } from './removing'
import { hide, showNear } from './showing'
import { focusTable } from './view'
import { showOnly } from './viewing'

// What can be done with what is selected: the buttons below the canvas have it,
// and the context menus.

export function ofTable(table: Id): Choice[] {
  return [
    { icon: 'edit', label: 'Edit', words: 'Edit table', test: 'edit-table', keys: 'Enter', run: () => showForm({ kind: 'table', table }) },
    { icon: 'plus', label: 'Column', words: 'Add a column', test: 'add-column', run: () => showForm({ kind: 'table', table, section: 'columns', focus: 'new' }) },
    { icon: 'link', label: 'Relate', words: 'Relate to a table', test: 'add-relation', run: () => showForm({ kind: 'relation', table, key: null }) },
    { icon: 'copy', label: 'Duplicate', test: 'duplicate-table', spare: true, run: () => void import('./adding').then((m) => m.duplicate(table)) },
    { icon: 'near', label: 'Related only', words: 'Show only what is related', test: 'related-only', run: () => showNear(table) },
    { icon: 'hide', label: 'Hide', words: 'Hide on the canvas', test: 'hide-table', spare: true, run: () => hide([table]) },
    { icon: 'trash', label: 'Drop', words: 'Drop table', test: 'drop-table', keys: 'Delete', run: () => askToDrop([table]) },
  ]
}

// ofTables is for several tables; keeps: there can be areas.
export function ofTables(tables: readonly Id[], keeps: boolean): Choice[] {
  const link: Choice = { icon: 'link', label: 'Relate many to many', test: 'link-tables', run: () => void import('./adding').then((m) => m.link(tables)) }
  const area: Choice = { icon: 'area', label: 'Area around these', test: 'area-around', keys: 'alt+a', run: () => areaAround(tables) }
  return [
    ...(tables.length === 2 ? [link] : []),
    { icon: 'near', label: 'Only these', words: 'Show only these', test: 'only-these', run: () => showOnly(tables) },
    ...(keeps ? [area] : []),
    { icon: 'hide', label: 'Hide', words: 'Hide on the canvas', test: 'hide-tables', run: () => hide(tables) },
    { icon: 'trash', label: 'Drop', words: `Drop ${tables.length} tables`, test: 'drop-tables', keys: 'Delete', run: () => askToDrop([...tables]) },
  ]
}

// ofRelation is for a foreign key of a table; none where it is gone. finding
// says that it has no index.
export function ofRelation(design: Design, table: Id, key: Id, finding?: Finding): Choice[] {
  const found = design.tables.get(table)?.foreignKeys?.find((k) => k.id === key)
  if (!found) return []
  const parent = design.tables.get(found.refTable ?? '')
  const toParent: Choice[] = parent ? [{ icon: 'up', label: 'Go to parent table', test: 'go-to-parent', run: () => focusTable(parent.id) }] : []
  const index: Choice[] = finding ? [{ icon: 'plus', label: 'Add index', test: 'relation-fix', run: () => void import('../store/settle').then((m) => m.settle(finding)) }] : []
  return [
    { icon: 'edit', label: 'Edit', test: 'edit-relation', keys: 'Enter', run: () => showForm({ kind: 'relation', table, key }) },
    ...index,
    ...toParent,
    { icon: 'down', label: 'Go to child table', test: 'go-to-child', run: () => focusTable(table) },
    { icon: 'trash', label: 'Delete', test: 'delete-relation', keys: 'Delete', run: () => askToDropKey(table, key) },
  ]
}
