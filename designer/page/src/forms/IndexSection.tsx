import { useState } from 'react'
import type { Edit } from '../api/edits'
import type { Id, Index, Table } from '../api/types'
import { columnById } from '../store/design'
import { editAloud } from '../store/queue'
import { Icon } from '../ui/Icon'
import { CheckForm } from './CheckForm'
import { IndexForm } from './IndexForm'

// IndexSection lists a table's indexes, unique keys and checks. Those that
// edits cannot express (expressions, constraints of the database) are shown.
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
            <button type="button" className="list-item" disabled={!editable(x)} onClick={() => setOpen({ kind: 'index', id: x.id })}>
              <span className="name">{x.name ?? 'unnamed'}</span>
              <span className="detail">
                {x.constraint ? 'unique key on ' : x.unique ? 'unique on ' : 'on '}
                {x.parts.map((p) => `${p.expression ?? columnById(table, p.column)?.name ?? '?'}${p.descending ? ' desc' : ''}`).join(', ')}
                {x.where ? ` where ${x.where}` : ''}
              </span>
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

function editable(index: Index): boolean {
  return index.constraint !== true && index.parts.every((p) => p.expression === undefined)
}

function Drop({ name, edit }: { name: string; edit: Edit }) {
  return (
    <button type="button" className="icon-button" aria-label={`Drop ${name}`} title={`Drop ${name}`} onClick={() => void editAloud([edit])}>
      <Icon name="trash" />
    </button>
  )
}
