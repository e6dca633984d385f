import { useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { Icon } from '../../ui/Icon'
import { visible } from '../lib/text'
import type { Order } from './api'
import { copyCells } from './copy'
import type { Jump } from './relations'
import { brief, type Cell, type Rows } from './rows'
import { moved, part, wholeRow, within, type Selection } from './selection'
import { pendingOf, type Line } from './sheet'

interface GridProps {
  columns: Rows['columns']
  rows: readonly Cell[][]
  first: number // number of the first row
  busy: boolean
  sort: Order | null
  selection: Selection | null
  onSort?: (column: string) => void // none: the rows are in the order that they came in
  onSelect: (selection: Selection) => void
  jumpsOf?: (cells: readonly Cell[]) => Jump[]
  onJump?: (jump: Jump) => void
  lines?: readonly Line[] // what is pending of the rows
  onEdit?: () => void // the cell that has the focus; none: they are only read
}

// Grid is the rows. One cell has the focus; arrows move it, and with shift draw
// a selection on.
export function Grid(props: GridProps) {
  const { columns, rows, first, busy, sort, selection, onSort, onSelect } = props
  const ref = useRef<HTMLDivElement>(null)
  const extent = { rows: rows.length, columns: columns.length }
  const to = selection?.to
  useLayoutEffect(() => {
    const cell = to && ref.current?.querySelector<HTMLElement>(`[data-at="${to.row} ${to.column}"]`)
    if (cell && ref.current?.contains(document.activeElement) && document.activeElement?.closest('td')) cell.focus()
  }, [to])
  const keys = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.closest('td')) return
    const now = selection ?? { from: { row: 0, column: 0 }, to: { row: 0, column: 0 } }
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : event.key === ' ' && event.shiftKey ? wholeRow(now.to.row, extent.columns) : moved(now, event.key, event.shiftKey, extent)
    if (next) onSelect(next)
    else if (event.key === 'F2' && props.onEdit) {
      onSelect({ from: now.to, to: now.to })
      props.onEdit()
    } else if (event.key === 'Enter' && event.target.tagName === 'TD') onSelect({ ...now })
    else if ((event.ctrlKey || event.metaKey) && event.key === 'c' && selection && getSelection()?.isCollapsed) void copyCells(part(selection, rows))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="grid" aria-busy={busy} data-testid="grid" ref={ref} onKeyDown={keys}>
      <table role="grid" aria-label="Rows" aria-multiselectable>
        <thead>
          <tr>
            <th scope="col" className="row-no">
              <span className="visually-hidden">Row</span>
            </th>
            {columns.map((c, i) => (
              <Head key={i} column={c} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, r) => (
            <tr key={r} className={classOf(props.lines?.[r])}>
              <th scope="row" className="row-no" title="Select the row" onClick={() => onSelect(wholeRow(r, extent.columns))}>
                <RowNumber line={props.lines?.[r]} number={first + r} />
              </th>
              <Cells {...props} cells={cells} r={r} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const kinds = { insert: 'added', update: 'changed', delete: 'to be deleted' }

function classOf(line: Line | undefined): string | undefined {
  return line?.edit && `row-${line.edit.kind}`
}

// RowNumber is that of the row, and says what is to become of it.
function RowNumber({ line, number }: { line: Line | undefined; number: number }) {
  return (
    <>
      {line && !line.read ? 'new' : number.toLocaleString('en')}
      {line?.edit && line.read && <span className="visually-hidden"> {kinds[line.edit.kind]}</span>}
    </>
  )
}

function Head({ column, sort, onSort }: { column: Rows['columns'][number]; sort: Order | null; onSort: GridProps['onSort'] }) {
  const title = (
    <>
      {visible(column.name)} <span className="quiet">{visible(column.type.toLowerCase())}</span>
    </>
  )
  if (!onSort) return <th scope="col">{title}</th>
  const way = sort?.column === column.name ? (sort.descending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" aria-sort={way ?? 'none'}>
      <button type="button" className="head" title="Sort by this column" onClick={() => onSort(column.name)}>
        {title}
        {way && <Icon name={way === 'ascending' ? 'up' : 'down'} />}
      </button>
    </th>
  )
}

function Cells({ columns, cells, r, selection, onSelect, jumpsOf, onJump, lines, onEdit }: GridProps & { cells: readonly Cell[]; r: number }) {
  const line = lines?.[r]
  const jumps = line && !line.read ? [] : (jumpsOf?.(line?.read ?? cells) ?? [])
  const select = (event: MouseEvent, column: number): void => {
    const at = { row: r, column }
    onSelect({ from: event.shiftKey && selection ? selection.from : at, to: at })
  }
  return cells.map((cell, c) => {
    const chosen = selection !== null && within(selection, r, c)
    const focus = selection ? selection.to.row === r && selection.to.column === c : r === 0 && c === 0
    const pending = line && pendingOf(line, columns[c]?.name ?? '')
    const jump = jumps.find((j) => j.by.includes(columns[c]?.name ?? ''))
    return (
      <td
        key={c}
        className={`cell-${cell.kind}${jump ? ' refers' : ''}${pending ? ' edited' : ''}`}
        aria-selected={chosen}
        tabIndex={focus ? 0 : -1}
        data-at={`${r} ${c}`}
        onMouseDown={(event) => event.shiftKey && event.preventDefault()} // the browser would select text
        onClick={(event) => select(event, c)}
        onDoubleClick={onEdit}
      >
        {line && !line.read && !pending ? <span className="null-value">default</span> : <Brief cell={cell} />}
        {jump && (
          <button
            type="button"
            className="jump"
            tabIndex={-1}
            aria-label={`Go to ${jump.title}`}
            title={`Go to ${jump.title}`}
            onClick={(event) => {
              event.stopPropagation()
              onJump?.(jump)
            }}
          >
            <Icon name="right" />
          </button>
        )}
      </td>
    )
  })
}

function Brief({ cell }: { cell: Cell }) {
  if (cell.kind === 'null') return <span className="null-value">NULL</span>
  const { text, cut } = brief(cell)
  return (
    <>
      {visible(text)}
      {cut && (
        <span className="cut" aria-label="cut">
          …
        </span>
      )}
    </>
  )
}
