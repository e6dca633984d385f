import { useState, type ReactNode } from 'react'
import type { Id, Table } from '../api/types'
import { askToDrop } from '../canvas/removing'
import { openForm } from '../store/actions'
import { fullName } from '../store/design'
import { store, useStore, type Form } from '../store/state'
import { Dock } from '../ui/Dock'
import { Icon } from '../ui/Icon'
import { leave } from '../ui/unsaved'
import { Gone } from './BothSides'
import { useFollow } from './useFollow'
import { ColumnForm } from './ColumnForm'
import { ColumnGrid } from './grid/ColumnGrid'
import { IndexSection } from './IndexSection'
import { RelationList } from './RelationList'
import { TableNames, useNames } from './TableNames'

type Section = 'columns' | 'keys' | 'indexes'

type TableAsk = Extract<Form, { kind: 'table'; table: Id }>

interface TableFormProps {
  table: Table // as it is, or as it was before it was dropped
  gone: boolean
  form: TableAsk
}

const sections: [id: Section, title: string, count: (t: Table) => number][] = [
  ['columns', 'Columns', (t) => t.columns.length],
  ['keys', 'Foreign keys', (t) => t.foreignKeys?.length ?? 0],
  ['indexes', 'Indexes and checks', (t) => (t.indexes?.length ?? 0) + (t.checks?.length ?? 0)],
]

// TableForm edits one table. Each change is made when it is confirmed, so that
// each is one step to undo and others see it at once.
export function TableForm({ table, gone, form }: TableFormProps) {
  const [open, setOpen] = useState<Section>(form.section ?? 'columns')
  const [column, setColumn] = useState<Id | null>(form.column ?? null) // whose details are open
  const [asked, setAsked] = useState(form)
  if (asked !== form) {
    // It was open already when something else of the table was asked for.
    setAsked(form)
    setOpen(form.section ?? 'columns')
    setColumn(form.column ?? null)
  }
  const known = useStore((s) => (column === null ? undefined : s.named.get(column))) // it was opened before the instance had it
  const names = useNames(table, gone)
  useFollow(table.id)
  const close = (): void => leave(() => openForm(null))
  const done = async (): Promise<void> => {
    if (gone || (await names.save())) close()
  }
  const body: Record<Section, () => ReactNode> = {
    columns: () =>
      column === null ? (
        <ColumnGrid table={table} focus={form.focus} onDetails={setColumn} />
      ) : (
        <ColumnForm key={column} table={table} gone={gone} id={known ?? column} onDone={() => setColumn(null)} />
      ),
    keys: () => <RelationList table={table} />,
    indexes: () => <IndexSection table={table} gone={gone} />,
  }
  const tools = column === null && (
    <>
      <button type="button" className="button small" disabled={gone} onClick={() => leave(() => drop(table.id))}>
        <Icon name="trash" /> Drop table
      </button>
      <button type="button" className="button small primary" data-testid="done" onClick={() => void done()}>
        Done
      </button>
    </>
  )
  return (
    <Dock title={`Table ${fullName(table)}`} onClose={close} tools={tools} testId="table-form">
      {gone && <Gone what={`Table ${fullName(table)}`}>What you typed is still here; undo brings the table back.</Gone>}
      <TableNames table={table} form={names} gone={gone} />
      <div className="form-tabs table-parts" role="tablist" aria-label="Parts of the table">
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
      <div className="table-part" role="tabpanel" aria-label={open}>
        {gone && column === null && open !== 'indexes' ? null : body[open]()}
      </div>
    </Dock>
  )
}

function drop(id: Id): void {
  store.set({ form: null })
  askToDrop([id])
}
