import { memo } from 'react'
import type { Column, Id } from '../api/types'
import { typeOf } from '../store/design'
import { store, useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { showForm } from '../ui/showForm'
import { startConnecting } from './connect'
import { isPlain } from './pressing'
import { InlineName } from './InlineName'
import type { ColumnNet } from './ReviewFlag'

interface ColumnRowProps {
  table: Id
  tableName: string
  column: Column
  isKey: boolean
  isForeign: boolean
  isTight: boolean // its text does not fit
  net: ColumnNet | null // how the agent changed it
}

export const ColumnRow = memo(function ColumnRow({ table, tableName, column, isKey, isForeign, isTight, net }: ColumnRowProps) {
  const renaming = useStore((s) => s.renaming?.table === table && s.renaming.column === column.id)
  const type = typeOf(column)
  const hint = net?.text
  const nullable = column.isNullable === true
  const classes = ['row', isKey && 'key', isTight && 'tight', net && `net-${net.tone}`]
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      data-table={table}
      data-column={column.id}
      data-testid={`column-${tableName}.${column.name}`}
      title={hint}
      onDoubleClick={(event) => isPlain(event.target) && pressTwice(event.target, table, column.id)}
    >
      <Dot side="left" table={table} column={column} />
      <span className="mark" title={isKey ? 'Primary key' : isForeign ? 'Foreign key' : undefined}>
        {isKey ? <Icon name="key" /> : isForeign ? <Icon name="link" /> : null}
      </span>
      {renaming ? (
        <InlineName name={column.name} label={`New name of column ${column.name}`} edit={(name) => ({ op: 'set_column', table: { id: table }, column: { id: column.id }, set: { name } })} />
      ) : (
        <span className="name" title={hint ?? (column.comment ? `${column.name}: ${column.comment}` : column.name)}>
          {column.name}
        </span>
      )}
      <span className="type" title={hint ?? (nullable ? `${type}, nullable` : `${type}, not null`)}>
        {net?.types || type}
      </span>
      <span className="null">{nullable ? '?' : ''}</span>
      <Dot side="right" table={table} column={column} />
    </div>
  )
})

// pressTwice renames by the name, and edits by the rest of the row.
function pressTwice(target: EventTarget, table: Id, column: Id): void {
  if (target instanceof Element && target.closest('.name')) store.set({ renaming: { table, column } })
  else showForm({ kind: 'table', table, column })
}

function Dot({ side, table, column }: { side: 'left' | 'right'; table: Id; column: Column }) {
  return (
    <span
      className={`dot nodrag nopan ${side}`}
      title="Drag to another column to relate them"
      data-testid={`relate-${side}-${column.name}`}
      onPointerDown={(event) => startConnecting(event, table, column.id)}
    />
  )
}
