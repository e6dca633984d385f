import type { Id, Table } from '../api/types'
import { isKeyColumn, typeOf } from '../store/design'
import { editAloud } from '../store/queue'
import { Icon } from '../ui/Icon'

// ColumnList shows a table's columns; one is opened to be edited.
export function ColumnList({ table, onOpen }: { table: Table; onOpen: (id: Id) => void }) {
  return (
    <>
      <ul className="list" data-testid="columns">
        {table.columns.map((c) => (
          <li key={c.id}>
            <button type="button" className="list-item" data-testid={`edit-column-${c.name}`} onClick={() => onOpen(c.id)}>
              <span className="mark">{isKeyColumn(table, c) ? <Icon name="key" /> : null}</span>
              <span className="name">{c.name}</span>
              <span className="detail">
                {typeOf(c)}
                {c.isNullable ? ', may be null' : ''}
                {c.isIdentity ? ', identity' : ''}
                {c.isComputed ? ', computed' : ''}
                {c.defaultValue ? `, default ${c.defaultValue}` : ''}
              </span>
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={`Drop column ${c.name}`}
              title={`Drop column ${c.name}`}
              data-testid={`drop-column-${c.name}`}
              onClick={() => void editAloud([{ op: 'drop_column', table: { id: table.id }, column: { id: c.id } }])}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" data-testid="new-column" onClick={() => onOpen('new')}>
        <Icon name="plus" /> Add a column
      </button>
    </>
  )
}
