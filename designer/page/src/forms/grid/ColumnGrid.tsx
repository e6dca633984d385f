import { useEffect, useRef, useState, type ClipboardEvent } from 'react'
import './grid.css'
import type { Edit, Refusal } from '../../api/edits'
import type { Id, Table } from '../../api/types'
import { edit } from '../../store/queue'
import { useStore } from '../../store/state'
import { toast } from '../../store/toasts'
import { ChosenBar } from './ChosenBar'
import { ColumnLine, NewLine } from './Lines'
import { rowsIn } from './lines'
import { goTo } from './move'
import { addEdit, usualType } from './row'
import { useKeys } from './useKeys'

interface ColumnGridProps {
  table: Table
  focus: 'new' | undefined
  onDetails: (id: Id) => void
}

// ColumnGrid is a table's columns as rows that are typed into, with an empty
// one for the next.
export function ColumnGrid({ table, focus, onDetails }: ColumnGridProps) {
  const grid = useRef<HTMLTableElement>(null)
  const dialect = useStore((s) => s.dialect)
  const keyOf = useKeys(table.columns)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set()) // keys: an id changes when the instance names a column
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const there = new Set(table.columns.filter((c) => chosen.has(keyOf(c))).map((c) => c.id))
  const choose = (ids: ReadonlySet<Id>): void => setChosen(new Set(table.columns.filter((c) => ids.has(c.id)).map(keyOf)))
  const comments = dialect?.comments ?? true
  const toNew = (): void => goTo(grid.current?.querySelector<HTMLInputElement>('.column-row.new [data-field=name]'))
  useEffect(() => {
    if (focus === 'new') toNew()
  }, [focus, table.id])
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text')
    if (!/[\n\t]/.test(text.trim())) return // a name or a type, which the field takes
    const edits = rowsIn(text)
      .map((row) => addEdit(table, row, usualType(dialect)))
      .filter((made): made is Edit => made !== null)
    if (edits.length === 0) return
    event.preventDefault()
    void edit(edits).then((outcome) => {
      setRefusal(outcome.success ? null : outcome)
      if (outcome.success) toast('info', `Added ${edits.length} columns.`)
    })
  }
  return (
    <>
      <div className="scroller">
        <table ref={grid} className="column-grid" data-testid="columns" aria-label={`Columns of ${table.name}`}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Selected</span>
              </th>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col" title="Primary key">
                Key
              </th>
              <th scope="col">Nullable</th>
              <th scope="col">Unique</th>
              <th scope="col">Default</th>
              <th scope="col">Identity</th>
              {comments && <th scope="col">Comment</th>}
              <th scope="col">
                <span className="visually-hidden">More</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {table.columns.map((c) => (
              <ColumnLine key={keyOf(c)} table={table} column={c} comments={comments} chosen={there} onChosen={choose} onDetails={() => onDetails(c.id)} onPaste={paste} />
            ))}
            <NewLine table={table} comments={comments} onNext={() => requestAnimationFrame(toNew)} onPaste={paste} />
          </tbody>
        </table>
      </div>
      {refusal && (
        <p className="wrong" role="alert" data-testid="paste-refused">
          Nothing was pasted: {refusal.message}
        </p>
      )}
      {there.size > 0 ? (
        <ChosenBar table={table} chosen={there} onDone={() => setChosen(new Set())} />
      ) : (
        <p className="grid-hint">Tab goes to the next field, Enter to the next row. Paste lines of SQL, DBML or a spreadsheet to add columns.</p>
      )}
    </>
  )
}
