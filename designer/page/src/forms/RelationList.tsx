import type { Table } from '../api/types'
import { openForm } from '../store/actions'
import { columnById, fullName, type Design } from '../store/design'
import { useStore, type Form } from '../store/state'
import { Icon } from '../ui/Icon'
import { leave } from '../ui/unsaved'

// RelationList shows a table's foreign keys, and those that point at it.
export function RelationList({ table }: { table: Table }) {
  const design = useStore((s) => s.design)
  if (!design) return null
  const incoming = [...design.tables.values()].flatMap((t) =>
    t.id === table.id ? [] : (t.foreignKeys ?? []).filter((k) => k.refTable === table.id).map((k) => ({ from: t, key: k })),
  )
  return (
    <>
      <ul className="list" data-testid="foreign-keys">
        {(table.foreignKeys ?? []).map((k) => (
          <li key={k.id}>
            <button type="button" className="list-item" onClick={() => open({ kind: 'relation', table: table.id, key: k.id })}>
              <span className="mark">
                <Icon name="link" />
              </span>
              <span className="name">{k.name ?? 'unnamed'}</span>
              <span className="detail">
                {k.mappings.map((m) => columnById(table, m.column)?.name).join(', ')} → {targetOf(design, k)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" data-testid="new-relation" onClick={() => open({ kind: 'relation', table: table.id, key: null })}>
        <Icon name="plus" /> Relate to a table
      </button>
      {incoming.length > 0 && (
        <>
          <h3>Refer to this table</h3>
          <ul className="list">
            {incoming.map(({ from, key }) => (
              <li key={key.id}>
                <button type="button" className="list-item" onClick={() => open({ kind: 'relation', table: from.id, key: key.id })}>
                  <span className="name">{fullName(from)}</span>
                  <span className="detail">{key.name ?? 'unnamed'}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

// open goes to another form; what was typed into this one is asked about.
function open(form: Form): void {
  leave(() => openForm(form))
}

function targetOf(design: Design, key: { refTable?: string; dangling?: { table: string } }): string {
  const target = design.tables.get(key.refTable ?? '')
  return target ? fullName(target) : `${key.dangling?.table ?? '?'} (missing)`
}
