import { useMemo, useState } from 'react'
import { Icon } from '../../ui/Icon'
import { Plain } from '../lib/Code'
import { messageOf, visible } from '../lib/text'
import { getWhole, type Filter } from './api'
import { copyCells, copyText } from './copy'
import { Editor } from './Editor'
import type { Entry } from './edits'
import { cellFilter } from './filters'
import type { Source } from './query'
import type { Jump, Row } from './relations'
import { cutFrom, type Cell } from './rows'
import { part, type Selection } from './selection'
import { hexDump, objectOf, prettyJson, textOf } from './values'

interface ValueProps {
  connection: string
  source: Source
  rows: readonly Cell[][]
  row: Row // that has the focus
  selection: Selection
  to: readonly Jump[]
  from: readonly Jump[]
  dialect: string
  onJump?: (jump: Jump) => void
  onFilter?: (filter: Filter) => void
  onClose: () => void
  editing?: Editing // none: the rows are only read
}

// Editing is what can be done to the cell and its row.
export interface Editing {
  pending: Cell | null // value that the cell is to have
  kind: 'insert' | 'update' | 'delete' | null // what is to become of the row
  open: boolean // the cell is being edited
  onOpen: (open: boolean) => void
  onSet: (entry: Entry, was: Cell) => void
  onClear: () => void
  onDelete: () => void
  onTake: () => void // the change of the row back
}

// Value shows the cell that has the focus whole, and what can be done with it
// and its row.
export function Value({ connection, source, rows, row, selection, to, from, dialect, onJump, onFilter, onClose, editing }: ValueProps) {
  const column = row.columns[selection.to.column]
  const cell = row.cells[selection.to.column]
  const whole = useWhole(connection, source, row, selection.to.column, dialect)
  if (!column || !cell) return null
  const was = whole.cell ?? cell
  const shown = editing?.pending ?? was
  const same = editing?.kind === 'insert' ? null : cellFilter(column, was, dialect)
  const chosen = part(selection, rows)
  const several = chosen.length * (chosen[0]?.length ?? 0)
  return (
    <section className="value" aria-label={`Value of ${visible(column.name)}`} data-testid="value">
      <header className="hstack">
        <strong>{visible(column.name)}</strong>
        <span className="quiet">{sizeOf(shown)}</span>
        {editing?.pending && <span className="pending-mark">changed, not run yet</span>}
        <button type="button" className="icon-button at-end" aria-label="Close the value" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {editing && <EditCell key={`${selection.to.row} ${selection.to.column}`} editing={editing} column={column} shown={shown} was={was} dialect={dialect} />}
      {whole.error && <p className="quiet">The whole value could not be read: {whole.error}</p>}
      <div className="hstack">
        {whole.read && (
          <button type="button" className="button small" disabled={whole.busy} data-testid="value-whole" onClick={whole.read}>
            {whole.busy ? 'Reading …' : 'Read all of it'}
          </button>
        )}
        <button type="button" className="button small" data-testid="copy-value" onClick={() => void copyText(textOf(shown), cutFrom(shown) === null ? 'Copied.' : 'Copied what is shown: the value is cut.')}>
          <Icon name="copy" /> Copy value
        </button>
        <button type="button" className="button small" data-testid="copy-row" onClick={() => void copyText(objectOf(row.columns, row.cells), 'Copied the row as JSON.')}>
          <Icon name="copy" /> Copy row
        </button>
        {several > 1 && (
          <button type="button" className="button small" data-testid="copy-selection" onClick={() => void copyCells(chosen)}>
            <Icon name="copy" /> Copy {several.toLocaleString('en')} values
          </button>
        )}
        {same && onFilter && (
          <button type="button" className="button small" data-testid="filter-same" onClick={() => onFilter(same)}>
            <Icon name="filter" /> Only this value
          </button>
        )}
      </div>
      <Jumps title="Refers to" jumps={to} testId="jump-to" onJump={onJump} />
      <Jumps title="Referred to by" jumps={from} testId="jump-from" onJump={onJump} />
      {editing?.kind === 'insert' && !editing.pending ? <p className="quiet">Left out: the database puts the column’s default, or NULL.</p> : <Shown cell={shown} name={column.name} />}
    </section>
  )
}

interface EditCellProps {
  editing: Editing
  column: Row['columns'][number]
  shown: Cell
  was: Cell
  dialect: string
}

// EditCell changes the cell, or its row.
function EditCell({ editing, column, shown, was, dialect }: EditCellProps) {
  const { pending, kind, open, onOpen, onSet, onClear, onDelete, onTake } = editing
  const cut = kind !== 'insert' && cutFrom(was) !== null
  if (kind === 'delete') {
    return (
      <div className="hstack">
        <span className="pending-mark">The row is to be deleted.</span>
        <button type="button" className="button small" data-testid="row-keep" onClick={onTake}>
          <Icon name="undo" /> Keep the row
        </button>
      </div>
    )
  }
  if (open && !cut) {
    return (
      <Editor
        column={column}
        cell={shown}
        dialect={dialect}
        onCancel={() => onOpen(false)}
        onSet={(entry) => {
          onSet(entry, was)
          onOpen(false)
        }}
      />
    )
  }
  return (
    <div className="hstack">
      <button type="button" className="button small" disabled={cut} data-testid="cell-edit" onClick={() => onOpen(true)}>
        <Icon name="edit" /> Edit
      </button>
      {pending && (
        <button type="button" className="button small" data-testid="cell-clear" onClick={onClear}>
          <Icon name="undo" /> Take back
        </button>
      )}
      <button type="button" className="button small" data-testid="row-delete" onClick={onDelete}>
        <Icon name="trash" /> {kind === 'insert' ? 'Do not add the row' : 'Delete row'}
      </button>
      <span className="quiet">{cut ? 'A value that is cut is changed once all of it is read.' : 'F2 or a double click edits a cell.'}</span>
    </div>
  )
}

function Jumps({ title, jumps, testId, onJump }: { title: string; jumps: readonly Jump[]; testId: string; onJump: ValueProps['onJump'] }) {
  if (jumps.length === 0) return null
  return (
    <div className="hstack">
      <span className="quiet">{title}</span>
      {jumps.map((jump, i) => (
        <button key={i} type="button" className="button small" data-testid={testId} onClick={() => onJump?.(jump)}>
          <Icon name="link" /> {visible(`${jump.title} (${jump.by.join(', ')})`)}
        </button>
      ))}
    </div>
  )
}

function Shown({ cell, name }: { cell: Cell; name: string }) {
  const text = useMemo(() => (cell.kind === 'blob' ? hexDump(cell.text) : cell.kind === 'text' ? (prettyJson(cell.text) ?? cell.text) : textOf(cell)), [cell])
  if (cell.kind === 'null') return <p className="quiet">No value (NULL)</p>
  return <Plain code={text} label={`Value of ${visible(name)}`} />
}

// sizeOf says how long a value is, and how much of it is here.
function sizeOf(cell: Cell): string {
  const cut = cutFrom(cell)
  const bytes = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'byte' : 'bytes'}`
  if (cut !== null) return `cut: ${bytes(cut)} in all`
  if (cell.kind === 'blob') return bytes(cell.whole)
  return cell.kind === 'text' ? `${cell.text.length.toLocaleString('en')} characters` : ''
}

interface Whole {
  cell: Cell | null
  error: string
  busy: boolean
  read: (() => void) | null // null: there is nothing more to read, or no key to find the row by
}

// useWhole reads a value that was cut, by the key of its row.
function useWhole(connection: string, source: Source, row: Row, column: number, dialect: string): Whole {
  const cell = row.cells[column]
  const name = row.columns[column]?.name ?? ''
  const [state, setState] = useState<{ of: Cell | undefined; cell: Cell | null; error: string; busy: boolean }>({ of: undefined, cell: null, error: '', busy: false })
  const ours = state.of === cell ? state : { cell: null, error: '', busy: false }
  const key = source.order.map((k) => {
    const i = row.columns.findIndex((c) => c.name === k)
    const [own, value] = [row.columns[i], row.cells[i]]
    return own && value && value.kind !== 'null' ? cellFilter(own, value, dialect) : null
  })
  const filters = key.filter((f) => f !== null)
  const readable = cell && cutFrom(cell) !== null && !ours.cell && filters.length > 0 && filters.length === key.length
  const read = async (): Promise<void> => {
    setState({ of: cell, cell: null, error: '', busy: true })
    try {
      const found = await getWhole(connection, { table: source.table, columns: [name], filters, order: [] })
      setState({ of: cell, cell: found.rows[0]?.[0] ?? null, error: found.rows[0] ? '' : 'the row is gone', busy: false })
    } catch (cause) {
      setState({ of: cell, cell: null, error: messageOf(cause), busy: false })
    }
  }
  return { ...ours, read: readable ? () => void read() : null }
}
