import type { NodeProps } from '@xyflow/react'
import { Fragment, lazy, memo, Suspense, useMemo, type CSSProperties } from 'react'
import type { Column, Table } from '../api/types'
import { select } from '../store/actions'
import { Icon } from '../ui/Icon'
import { showForm } from '../ui/showForm'
import { isPlain } from './pressing'
import { fullName, titleOf } from '../store/design'
import { store, useStore } from '../store/state'
import { ColumnRow } from './ColumnRow'
import { isCut, isTight, shownColumns, sizeOf } from './geometry'
import { HereMark, useHere, wordsOf as wordsOfHere } from './HereMark'
import { InlineName } from './InlineName'
import { tableKey } from './keyboard'
import { LintFlag } from './LintFlag'
import { lettersFor, wordsOf } from './names'
import { useDetail } from './lod'
import type { TableFlowNode } from './nodes'
import { placesOf } from './spread'
import { droppedFrom, ReviewFlag, reviewOf, useReviewed, type ColumnNet } from './ReviewFlag'
import './review.css'

const DroppedRows = lazy(() => import('./DroppedRows'))

export const TableNode = memo(function TableNode({ id, selected }: NodeProps<TableFlowNode>) {
  const table = useStore((s) => s.design?.tables.get(id))
  const title = useStore((s) => (s.design && table ? titleOf(s.design, table) : ''))
  const mark = useStore((s) => s.marks.get(id))
  const detail = useDetail()
  const reviewed = useReviewed(id) !== undefined
  const here = useHere(id)
  const collapsed = useStore((s) => placesOf(s)[id]?.collapsed === true)
  if (!table) return null
  const who = mark?.who
  const classes = ['table', detail, collapsed && 'collapsed', selected && 'selected', reviewed && 'reviewed', mark && 'marked', mark?.origin === 'agent' && 'by-agent']
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      role="group"
      tabIndex={0}
      aria-label={describe(table, title, who, here.length > 0 ? wordsOfHere(here) : '', collapsed)}
      data-id={id}
      data-table={id}
      data-testid={`table-${fullName(table)}`}
      onKeyDown={(event) => tableKey(event, table)}
      onFocus={(event) => {
        if (event.target !== event.currentTarget || store.get().selected.has(id)) return
        if (event.currentTarget.matches(':focus-visible')) select([id])
      }}
    >
      {who && (
        <span className="chip" title={mark.text}>
          {who}
        </span>
      )}
      <HereMark here={here} />
      <Head table={table} title={title} collapsed={collapsed} />
      {detail === 'full' && !collapsed && <Rows table={table} />}
    </div>
  )
})

interface HeadProps {
  table: Table
  title: string
  collapsed: boolean
}

function Head({ table, title, collapsed }: HeadProps) {
  const renaming = useStore((s) => s.renaming?.table === table.id && s.renaming.column === null)
  const full = useDetail() === 'full'
  return (
    <div className="head" onDoubleClick={(event) => isPlain(event.target) && store.set({ renaming: { table: table.id, column: null } })} title={table.comment ? `${title}: ${table.comment}` : title}>
      {renaming ? (
        <InlineName name={table.name} label={`New name of table ${table.name}`} edit={(name) => ({ op: 'set_table', table: { id: table.id }, set: { name } })} />
      ) : full ? (
        <span className="name">
          {title !== table.name && <span className="schema">{title.slice(0, -table.name.length)}</span>}
          <span className="own">{table.name}</span>
        </span>
      ) : (
        <NameAlone table={table} title={title} collapsed={collapsed} />
      )}
      {full && <ReviewFlag table={table} />}
      {full && <LintFlag table={table} />}
      {full && collapsed && <Expand table={table} />}
    </div>
  )
}

// Expand says that there is more of a collapsed table, and shows it.
function Expand({ table }: { table: Table }) {
  const label = `Expand ${table.name}: ${columnsOf(table)}`
  return (
    <button type="button" className="expand nodrag" tabIndex={-1} aria-label={label} title={label} data-testid={`expand-${fullName(table)}`} onClick={() => void import('./collapsing').then((m) => m.collapse([table.id], false))}>
      <Icon name="down" />
    </button>
  )
}

// NameAlone is all that is seen of a table from farther away: in letters that
// can be read there if the table has the room, broken where words meet.
function NameAlone({ table, title, collapsed }: HeadProps) {
  const { width, height } = sizeOf(table, { x: 0, y: 0, collapsed })
  const fit = useMemo(() => lettersFor(title, width, height), [title, width, height])
  return (
    <span className="name" style={{ '--fit': `${fit}px` } as CSSProperties}>
      {wordsOf(title).map((word, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  )
}

// fitting leaves the types out where both do not fit into the row.
function fitting(table: Table, column: Column, net: ColumnNet | null): ColumnNet | null {
  return net?.types && isTight(table, column, net.types) ? { ...net, types: '' } : net
}

function Rows({ table }: { table: Table }) {
  const reviewed = useReviewed(table.id)
  const keys = new Set(table.primaryKey?.columns)
  const dropped = droppedFrom(reviewed, table)
  const foreign = new Set(table.foreignKeys?.flatMap((k) => k.mappings.map((m) => m.column)))
  return (
    <div className="rows">
      {shownColumns(table).map((c) => (
        <ColumnRow key={c.id} table={table.id} tableName={fullName(table)} column={c} isKey={keys.has(c.id)} isForeign={foreign.has(c.id)} isTight={isTight(table, c)} net={fitting(table, c, reviewOf(reviewed, c))} />
      ))}
      {isCut(table) && (
        <button type="button" className="row more nodrag" onClick={() => showForm({ kind: 'table', table: table.id })}>
          … {table.columns.length - shownColumns(table).length} more columns
        </button>
      )}
      {table.columns.length === 0 && (
        <div className="row none" onDoubleClick={() => showForm({ kind: 'table', table: table.id, section: 'columns', focus: 'new' })}>
          no columns yet
        </div>
      )}
      <Suspense>{dropped.length > 0 && <DroppedRows columns={dropped} />}</Suspense>
    </div>
  )
}

const columnsOf = ({ columns: { length } }: Table): string => `${length} ${length === 1 ? 'column' : 'columns'}`

function describe(table: Table, title: string, who: string | undefined, here: string, collapsed: boolean): string {
  const keys = table.foreignKeys?.length ?? 0
  const relations = keys === 0 ? '' : `, ${keys} ${keys === 1 ? 'foreign key' : 'foreign keys'}`
  return `Table ${title}, ${columnsOf(table)}${relations}${collapsed ? ', collapsed' : ''}${who ? `, changed by ${who}` : ''}${here && `. ${here}`}`
}
