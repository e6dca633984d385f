import { NodeToolbar, Position, type NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { Id, Table } from '../api/types'
import { openForm, select } from '../store/actions'
import { fullName, titleOf } from '../store/design'
import { editAloud } from '../store/queue'
import { store, useStore } from '../store/state'
import { Icon, type IconName } from '../ui/Icon'
import { ColumnRow } from './ColumnRow'
import { isCut, shownColumns } from './geometry'
import { InlineName } from './InlineName'
import { tableKey } from './keyboard'
import { useDetail } from './lod'
import type { TableFlowNode } from './nodes'
import { askToDrop } from './removing'

export const TableNode = memo(function TableNode({ id, selected }: NodeProps<TableFlowNode>) {
  const table = useStore((s) => s.design?.tables.get(id))
  const title = useStore((s) => (s.design && table ? titleOf(s.design, table) : ''))
  const mark = useStore((s) => s.marks.get(id))
  const alone = useStore((s) => s.selected.size === 1 && s.selected.has(id))
  const detail = useDetail()
  if (!table) return null
  const who = mark && (mark.origin === 'agent' ? 'Agent' : mark.origin === 'page' ? 'Another tab' : 'Database')
  const classes = ['table', detail, selected && 'selected', mark && 'marked', mark?.origin === 'agent' && 'by-agent']
  return (
    <>
      {alone && <Actions table={table} />}
      <div
        className={classes.filter(Boolean).join(' ')}
        role="group"
        tabIndex={0}
        aria-label={describe(table, title, who)}
        data-id={id}
        data-table={id}
        data-testid={`table-${fullName(table)}`}
        onKeyDown={(event) => tableKey(event, table)}
        onFocus={(event) => {
          if (event.target === event.currentTarget && event.currentTarget.matches(':focus-visible')) select([id])
        }}
      >
        {who && (
          <span className="chip" title={mark.text}>
            {who}
          </span>
        )}
        <Head table={table} title={title} />
        {detail === 'full' && <Rows table={table} />}
      </div>
    </>
  )
})

function Head({ table, title }: { table: Table; title: string }) {
  const renaming = useStore((s) => s.renaming?.table === table.id && s.renaming.column === null)
  return (
    <div className="head" title={table.comment}>
      {renaming ? (
        <InlineName name={table.name} label={`New name of table ${table.name}`} onDone={(name) => rename(table, name)} />
      ) : (
        <span className="name" onDoubleClick={() => store.set({ renaming: { table: table.id, column: null } })}>
          {title}
        </span>
      )}
    </div>
  )
}

function Rows({ table }: { table: Table }) {
  const keys = new Set(table.primaryKey?.columns)
  const foreign = new Set(table.foreignKeys?.flatMap((k) => k.mappings.map((m) => m.column)))
  return (
    <div className="rows">
      {shownColumns(table).map((c) => (
        <ColumnRow key={c.id} table={table.id} tableName={fullName(table)} column={c} isKey={keys.has(c.id)} isForeign={foreign.has(c.id)} />
      ))}
      {isCut(table) && (
        <button type="button" className="row more nodrag" onClick={() => openForm({ kind: 'table', table: table.id })}>
          … {table.columns.length - shownColumns(table).length} more columns
        </button>
      )}
      {table.columns.length === 0 && <div className="row none">no columns yet</div>}
    </div>
  )
}

// Actions float above the one table that is selected.
function Actions({ table }: { table: Table }) {
  return (
    <NodeToolbar isVisible position={Position.Top} offset={8}>
      <div className="actions" role="toolbar" aria-label={`Table ${table.name}`} data-testid="table-actions">
        <Action icon="edit" label="Edit" test="edit-table" onClick={() => openForm({ kind: 'table', table: table.id })} />
        <Action icon="plus" label="Column" test="add-column" onClick={() => openForm({ kind: 'table', table: table.id, section: 'columns', focus: 'new' })} />
        <Action icon="link" label="Relate" test="add-relation" onClick={() => openForm({ kind: 'relation', table: table.id, key: null })} />
        <Action icon="filter" label="Related only" test="related-only" onClick={() => around(table.id)} />
        <Action icon="trash" label="Drop" test="drop-table" onClick={() => askToDrop([table.id])} />
      </div>
    </NodeToolbar>
  )
}

function Action({ icon, label, test, onClick }: { icon: IconName; label: string; test: string; onClick: () => void }) {
  return (
    <button type="button" className="action" title={label} aria-label={label} data-testid={test} onClick={onClick}>
      <Icon name={icon} />
      <span className="wide-only">{label}</span>
    </button>
  )
}

function around(table: Id): void {
  store.set((s) => ({ filter: { ...s.filter, around: { table, distance: 1 } } }))
}

function rename(table: Table, name: string | null): void {
  store.set({ renaming: null })
  if (name !== null) void editAloud([{ op: 'set_table', table: { id: table.id }, set: { name } }])
}

function describe(table: Table, title: string, who: string | undefined): string {
  const columns = `${table.columns.length} ${table.columns.length === 1 ? 'column' : 'columns'}`
  const keys = table.foreignKeys?.length ?? 0
  const relations = keys === 0 ? '' : `, ${keys} ${keys === 1 ? 'foreign key' : 'foreign keys'}`
  return `Table ${title}, ${columns}${relations}${who ? `, changed by ${who.toLowerCase()}` : ''}`
}
