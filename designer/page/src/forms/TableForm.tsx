import { useState, type ReactNode } from 'react'
import type { Id, Table } from '../api/types'
import { askToDrop } from '../canvas/removing'
import { openForm } from '../store/actions'
import { fullName } from '../store/design'
import { store } from '../store/state'
import { Dialog } from '../ui/Dialog'
import { Icon } from '../ui/Icon'
import { leave } from '../ui/unsaved'
import { Gone } from './BothSides'
import { ColumnForm } from './ColumnForm'
import { ColumnList } from './ColumnList'
import { IndexSection } from './IndexSection'
import { RelationList } from './RelationList'
import { TableNames, useNames } from './TableNames'

type Section = 'columns' | 'keys' | 'indexes'

interface TableFormProps {
  table: Table // as it is, or as it was before it was dropped
  gone: boolean
  section: Section | undefined
  focus: Id | undefined // of a column; "new": a new one
}

const sections: [id: Section, title: string, count: (t: Table) => number][] = [
  ['columns', 'Columns', (t) => t.columns.length],
  ['keys', 'Foreign keys', (t) => t.foreignKeys?.length ?? 0],
  ['indexes', 'Indexes and checks', (t) => (t.indexes?.length ?? 0) + (t.checks?.length ?? 0)],
]

// TableForm edits one table. Each change is made when it is confirmed, so that
// each is one step to undo and others see it at once.
export function TableForm({ table, gone, section, focus }: TableFormProps) {
  const [open, setOpen] = useState<Section>(section ?? 'columns')
  const [column, setColumn] = useState<Id | null>(focus ?? null)
  const [added, setAdded] = useState(0) // columns, each in a form that begins empty
  const names = useNames(table, gone)
  const close = (): void => leave(() => openForm(null))
  const done = async (): Promise<void> => {
    if (gone || (await names.save())) close()
  }
  const body: Record<Section, () => ReactNode> = {
    columns: () =>
      column === null ? (
        <ColumnList table={table} onOpen={setColumn} />
      ) : (
        <ColumnForm
          key={`${column} ${added}`}
          table={table}
          gone={gone}
          id={column === 'new' ? null : column}
          onDone={(again) => {
            setColumn(again ? 'new' : null)
            setAdded(added + 1)
          }}
        />
      ),
    keys: () => <RelationList table={table} />,
    indexes: () => <IndexSection table={table} gone={gone} />,
  }
  return (
    <Dialog title={`Table ${fullName(table)}`} onClose={close} testId="table-form" wide>
      {gone && <Gone what={`Table ${fullName(table)}`}>What you typed is still here; undo brings the table back.</Gone>}
      <TableNames table={table} form={names} gone={gone} />
      <div className="form-tabs" role="tablist" aria-label="Parts of the table">
        {sections.map(([s, title, count]) => (
          <button
            key={s}
            type="button"
            role="tab"
            aria-selected={s === open}
            data-testid={`section-${s}`}
            onClick={() =>
              leave(() => {
                setOpen(s)
                setColumn(null)
              }, 'form')
            }
          >
            {title} <span className="count">{count(table)}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={open}>
        {gone && column === null && open !== 'indexes' ? null : body[open]()}
      </div>
      {column === null && (
        <div className="dialog-actions">
          <button type="button" className="button" disabled={gone} onClick={() => leave(() => drop(table.id))}>
            <Icon name="trash" /> Drop table
          </button>
          <span className="spacer" />
          <button type="button" className="button primary" data-testid="done" onClick={() => void done()}>
            Done
          </button>
        </div>
      )}
    </Dialog>
  )
}

function drop(id: Id): void {
  store.set({ form: null })
  askToDrop([id])
}
