import { useState } from 'react'
import { Failed, Loading } from '../lib/parts'
import { useResource } from '../lib/resource'
import { getRows, type Filter } from './api'
import { EditBar } from './EditBar'
import { put, take } from './edits'
import { Filters } from './Filters'
import { Footer } from './Footer'
import { Grid } from './Grid'
import { newRow, setPending, tableKey, usePending } from './pending'
import { requestOf, type Source } from './query'
import { cascadesOf, referredBy, referringTo, type Jump, type Known, type Row } from './relations'
import { SaveRows } from './SaveRows'
import type { Selection } from './selection'
import { clearCell, deleteRow, pendingOf, rebased, setCell, sheetOf } from './sheet'
import { turned, type View } from './trail'
import { Value, type Editing } from './Value'

const pageSize = 50

interface BrowseProps {
  connection: string
  source: Source
  known: Known
  view: View
  onView: (view: View) => void
  onJump: (jump: Jump) => void
}

// Browse goes through the rows of one table. A page may be shorter than asked
// for, where its values are long, so each remembers where it began; another
// order or filter begins with the first page.
export function Browse({ connection, source, known, view, onView, onJump }: BrowseProps) {
  const { design } = known
  const [paging, setPaging] = useState<{ of: string; starts: readonly number[] }>({ of: '', starts: [0] })
  const of = JSON.stringify([view.filters, view.sort])
  const starts = paging.of === of ? paging.starts : [0]
  const from = starts.at(-1) ?? 0
  const request = requestOf(source, view.filters, view.sort, pageSize + 1, from)
  const page = useResource(`${connection}\n${JSON.stringify(request)}`, async (signal) => ({ ...(await getRows(connection, request, signal)), offset: from, of }))
  const [chosen, setChosen] = useState<{ on: unknown; selection: Selection } | null>(null)
  const data = page.data
  const columns = data?.columns ?? []
  const rows = data?.rows.slice(0, pageSize) ?? []
  const editable = !view.value.startsWith('view:')
  const key = tableKey(connection, source.table)
  const edits = usePending(key)
  const sheet = sheetOf(columns, rows, edits, source.order)
  const [editing, setEditing] = useState(false)
  const change = (next: typeof edits): void => setPending(key, () => next)
  const focusCell = (at = selection?.to): void => {
    if (at) document.querySelector<HTMLElement>(`[data-testid=grid] [data-at="${at.row} ${at.column}"]`)?.focus()
  }
  const act = (next: typeof edits): void => {
    change(next)
    focusCell() // the button that was pressed is gone
  }
  const more = data !== null && (data.rows.length > pageSize || (data.truncated && rows.length > 0))
  const selection = chosen !== null && chosen.on === data ? chosen.selection : null
  const table = view.value.startsWith('id:') ? design.tables.get(view.value.slice(3)) : undefined
  const jumps = (row: Row | null, find: typeof referredBy): Jump[] => (table && row ? find(table, row, known) : [])
  const line = selection ? sheet.lines[selection.to.row] : undefined
  const row = selection && line ? { columns, cells: line.read ?? sheet.rows[selection.to.row] ?? [] } : null
  const column = selection ? columns[selection.to.column]?.name : undefined
  const select = (next: Selection): void => {
    setChosen({ on: data, selection: next })
    setEditing(false)
  }
  const cellEditing: Editing | undefined =
    editable && line && column !== undefined
      ? {
          pending: pendingOf(line, column),
          kind: line.edit?.kind ?? null,
          open: editing,
          onOpen: (open) => {
            setEditing(open)
            if (!open) focusCell()
          },
          onSet: (entry, was) => change(setCell(edits, sheet, line, column, entry, was)),
          onClear: () => act(clearCell(edits, line, column)),
          onDelete: () => act(deleteRow(edits, sheet, line)),
          onTake: () => act(take(edits, line.id)),
        }
      : undefined
  const add = (): void => {
    change(put(edits, { kind: 'insert', id: newRow(), row: {}, set: {} }))
    const at = { row: sheet.rows.length, column: 0 }
    select({ from: at, to: at })
    requestAnimationFrame(() => focusCell(at)) // once it is there: it may be far below
  }
  const filter = (next: readonly Filter[]): void => onView({ ...view, filters: next })
  return (
    <>
      <Filters columns={columns} dialect={design.dialect} filters={view.filters} onFilters={filter}>
        <SaveRows connection={connection} request={request} name={source.table.name} />
      </Filters>
      {page.error && <Failed what="The rows" error={page.error} again={page.reload} />}
      {!data && !page.error && <Loading what="rows" />}
      {data && (
        <>
          {editable && (
            <EditBar
              connection={connection}
              dialect={design.dialect}
              table={source.table}
              cascades={table ? cascadesOf(table, known) : []}
              edits={edits}
              onAdd={add}
              onForget={() => change([])}
              onTake={(id) => change(take(edits, id))}
              onRebase={(edit, read) => change(rebased(edits, edit, read))}
              onDone={() => {
                change([])
                page.reload()
              }}
              onReload={page.reload}
            />
          )}
          <Grid
            columns={columns}
            rows={sheet.rows}
            lines={sheet.lines}
            first={data.offset + 1}
            busy={page.loading}
            sort={view.sort}
            selection={selection}
            onSort={(column) => onView({ ...view, sort: turned(view.sort, column) })}
            onSelect={select}
            {...(editable ? { onEdit: () => setEditing(true) } : {})}
            jumpsOf={(cells) => jumps({ columns, cells }, referredBy)}
            onJump={onJump}
          />
          {selection && row && (
            <Value
              connection={connection}
              source={source}
              rows={sheet.rows}
              row={row}
              selection={selection}
              to={line?.read ? jumps(row, referredBy) : []}
              from={line?.read ? jumps(row, referringTo) : []}
              dialect={design.dialect}
              onJump={onJump}
              onFilter={(f) => filter([...view.filters, f])}
              onClose={() => setChosen(null)}
              {...(cellEditing ? { editing: cellEditing } : {})}
            />
          )}
          <Footer
            connection={connection}
            request={request}
            of={data.of}
            shown={{ offset: data.offset, rows: rows.length, more }}
            unordered={request.order.length === 0}
            busy={page.loading}
            first={starts.length === 1}
            onRefresh={page.reload}
            onPrevious={() => setPaging({ of, starts: starts.slice(0, -1) })}
            onNext={() => setPaging({ of, starts: [...starts, data.offset + rows.length] })}
          />
        </>
      )}
    </>
  )
}
