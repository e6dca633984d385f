import { useState, type ReactNode } from 'react'
import type { Id, Table } from '../api/types'
import { askToDrop } from '../canvas/removing'
import { openForm } from '../store/actions'
import { fullName } from '../store/design'
import { store, useStore } from '../store/state'
import { Dialog } from '../ui/Dialog'
import { Icon } from '../ui/Icon'
import { ColumnForm } from './ColumnForm'
import { ColumnList } from './ColumnList'
import { IndexSection } from './IndexSection'
import { RelationList } from './RelationList'
import { TableNames } from './TableNames'

type Section = 'columns' | 'keys' | 'indexes'

interface TableFormProps {
  id: Id
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
export function TableForm({ id, section, focus }: TableFormProps) {
  const table = useStore((s) => s.design?.tables.get(id))
  const [open, setOpen] = useState<Section>(section ?? 'columns')
  const [column, setColumn] = useState<Id | null>(focus ?? null)
  const [added, setAdded] = useState(0) // columns, each in a form that begins empty
  if (!table) return null
  const body: Record<Section, () => ReactNode> = {
    columns: () =>
      column === null ? (
        <ColumnList table={table} onOpen={setColumn} />
      ) : (
        <ColumnForm
          key={`${column} ${added}`}
          table={table}
          id={column === 'new' ? null : column}
          onDone={(again) => {
            setColumn(again ? 'new' : null)
            setAdded(added + 1)
          }}
        />
      ),
    keys: () => <RelationList table={table} />,
    indexes: () => <IndexSection table={table} />,
  }
  return (
    <Dialog title={`Table ${fullName(table)}`} onClose={() => openForm(null)} testId="table-form" wide>
      <TableNames table={table} />
      <div className="form-tabs" role="tablist" aria-label="Parts of the table">
        {sections.map(([s, title, count]) => (
          <button
            key={s}
            type="button"
            role="tab"
            aria-selected={s === open}
            data-testid={`section-${s}`}
            onClick={() => {
              setOpen(s)
              setColumn(null)
            }}
          >
            {title} <span className="count">{count(table)}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={open}>
        {body[open]()}
      </div>
      {column === null && (
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => drop(id)}>
            <Icon name="trash" /> Drop table
          </button>
          <span className="spacer" />
          <button type="button" className="button primary" data-testid="done" onClick={() => openForm(null)}>
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
