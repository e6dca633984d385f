import { useState } from 'react'
import type { Edit } from '../api/edits'
import type { Id, Table } from '../api/types'
import { editAloud } from '../store/queue'
import { Icon } from '../ui/Icon'
import { CheckForm } from './CheckForm'
import { IndexForm } from './IndexForm'
import { wordsOf } from './indexes/words'

// IndexSection lists a table's indexes, unique keys and checks. A unique key of
// the database's own is shown; it is dropped, and made again as an index.
export function IndexSection({ table, gone }: { table: Table; gone: boolean }) {
  const [open, setOpen] = useState<{ kind: 'index'; id: Id | null } | { kind: 'check' } | null>(null)
  if (open?.kind === 'index') return <IndexForm table={table} gone={gone} id={open.id} onDone={() => setOpen(null)} />
  if (open?.kind === 'check') return <CheckForm table={table} gone={gone} onDone={() => setOpen(null)} />
  const ref = { id: table.id }
  return (
    <>
      <ul className="list" data-testid="indexes">
        {(table.indexes ?? []).map((x) => (
          <li key={x.id}>
            <button type="button" className="list-item" disabled={x.constraint === true} data-testid={`index-${x.name ?? ''}`} onClick={() => setOpen({ kind: 'index', id: x.id })}>
              <span className="name">{x.name ?? 'unnamed'}</span>
              <span className="detail">{wordsOf(table, x)}</span>
            </button>
            <Drop name={`index ${x.name ?? ''}`} edit={{ op: 'drop_index', table: ref, index: { id: x.id } }} />
          </li>
        ))}
        {(table.checks ?? []).map((c) => (
          <li key={c.id}>
            <span className="list-item">
              <span className="name">{c.name ?? 'check'}</span>
              <span className="detail">{c.expression}</span>
            </span>
            <Drop name={`check ${c.name ?? ''}`} edit={{ op: 'drop_check', table: ref, check: { id: c.id } }} />
          </li>
        ))}
      </ul>
      {(table.triggers?.length ?? 0) > 0 && <p className="note">Triggers, kept as they are: {table.triggers?.join(', ')}</p>}
      <div className="row-actions">
        <button type="button" className="button" data-testid="new-index" onClick={() => setOpen({ kind: 'index', id: null })}>
          <Icon name="plus" /> Add an index
        </button>
        <button type="button" className="button" data-testid="new-check" onClick={() => setOpen({ kind: 'check' })}>
          <Icon name="plus" /> Add a check
        </button>
      </div>
    </>
  )
}

function Drop({ name, edit }: { name: string; edit: Edit }) {
  return (
    <button type="button" className="icon-button" aria-label={`Drop ${name}`} title={`Drop ${name}`} onClick={() => void editAloud([edit])}>
      <Icon name="trash" />
    </button>
  )
}
