import type { ClipboardEvent, DragEvent, MouseEvent } from 'react'
import type { Column, Id, Table } from '../../api/types'
import { refTo } from '../../store/apply'
import { editAloud } from '../../store/queue'
import { useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { Icon } from '../../ui/Icon'
import { GridRow } from './GridRow'
import { goTo } from './move'
import { addEdit, blankRow, rowOf, setEdit, typeInfo, usualType } from './row'
import { useRow } from './useRow'

interface ColumnLineProps {
  table: Table
  column: Column
  comments: boolean
  chosen: ReadonlySet<Id>
  onChosen: (ids: ReadonlySet<Id>) => void
  onDetails: () => void
  onPaste: (event: ClipboardEvent) => void
}

// ColumnLine is the row of a column that is there.
export function ColumnLine({ table, column, comments, chosen, onChosen, onDetails, onPaste }: ColumnLineProps) {
  const dialect = useStore((s) => s.dialect)
  const draft = useRow(rowOf(table, column), (typed) => setEdit(table, column, typed))
  const { name } = column
  const choose = (event: MouseEvent): void => onChosen(event.shiftKey ? upTo(table, chosen, column.id) : toggled(chosen, column.id))
  const head = (
    <td className="pick" draggable onDragStart={why}>
      <input type="checkbox" aria-label={`Select ${name}`} data-testid={`select-column-${name}`} checked={chosen.has(column.id)} onClick={choose} onChange={() => undefined} />
    </td>
  )
  const tools = (
    <>
      <button type="button" className="icon-button" aria-label={`Details of ${name}`} title="Length, precision, identity, formula, collation" data-testid={`edit-column-${name}`} onClick={onDetails}>
        <Icon name="more" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Drop column ${name}`}
        title={`Drop column ${name}`}
        data-testid={`drop-column-${name}`}
        onClick={(event) => {
          goTo(nextName(event.currentTarget))
          void editAloud([{ op: 'drop_column', table: { id: table.id }, column: refTo(column) }])
        }}
      >
        <Icon name="trash" />
      </button>
    </>
  )
  const only = table.primaryKey?.columns.length === 1 && table.primaryKey.columns[0] === column.id
  return <GridRow draft={draft} who={name} test={name} isNew={false} type={typeInfo(dialect, draft.row.dataType)} comments={comments} only={only} head={head} tools={tools} onPaste={onPaste} />
}

interface NewLineProps {
  table: Table
  comments: boolean
  onNext: () => void
  onPaste: (event: ClipboardEvent) => void
}

// NewLine is the empty row for the next column.
export function NewLine({ table, comments, onNext, onPaste }: NewLineProps) {
  const dialect = useStore((s) => s.dialect)
  const usual = usualType(dialect)
  const draft = useRow(blankRow, (typed) => addEdit(table, { ...blankRow, ...typed }, usual))
  const type = typeInfo(dialect, draft.row.dataType || usual)
  return (
    <GridRow draft={draft} who="the new column" test="new" isNew usual={usual} type={type} comments={comments} only={false} head={<td className="pick" />} tools={null} onNext={onNext} onPaste={onPaste} />
  )
}

// why says that columns cannot be put into another order.
function why(event: DragEvent): void {
  event.preventDefault()
  toast('info', 'Columns keep the order in which they were added: a design does not count their order as a change.')
}

// nextName is the field that has the focus once a row is gone.
function nextName(from: HTMLElement): HTMLInputElement | null | undefined {
  return from.closest('tr')?.nextElementSibling?.querySelector<HTMLInputElement>('[data-field=name]')
}

function toggled(chosen: ReadonlySet<Id>, id: Id): ReadonlySet<Id> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

// upTo takes in all rows from the nearest chosen one above, or the first.
function upTo(table: Table, chosen: ReadonlySet<Id>, id: Id): ReadonlySet<Id> {
  const ids = table.columns.map((c) => c.id)
  const at = ids.indexOf(id)
  const from = ids.slice(0, at).findLastIndex((other) => chosen.has(other))
  return new Set([...chosen, ...ids.slice(Math.max(0, from), at + 1)])
}
