import { toneMarks } from '../panels/lib/words'
import { plural } from '../panels/lib/text'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import type { Row, SchemaRow, TableRow } from './rows'

interface RowProps<R extends Row> {
  id: string
  row: R
  top: number
  active: boolean // the keys are for it
  tools: boolean // stand over its end
  off: boolean // the table is not on the canvas now
  onPress: (row: Row) => void
}

// RowView is one row. Who is read to hears in words what it shows by signs.
export function RowView(props: RowProps<Row>) {
  const { row } = props
  return row.kind === 'schema' ? <Schema {...props} row={row} /> : <Table {...props} row={row} />
}

function Schema({ id, row, top, active, onPress }: RowProps<SchemaRow>) {
  const name = row.name || 'no schema'
  const tables = plural(row.tables, 'table')
  return (
    <div
      className={active ? 'outline-row schema-row active' : 'outline-row schema-row'}
      role="treeitem"
      id={id}
      aria-level={row.place.level}
      aria-posinset={row.place.index}
      aria-setsize={row.place.of}
      aria-expanded={row.open}
      aria-selected={false}
      style={{ top }}
      data-row={row.key}
      data-testid={`outline-schema-${row.name}`}
      onClick={() => onPress(row)}
    >
      <Icon name={row.open ? 'down' : 'right'} />
      <span className="outline-name">{name}</span>
      <span className="visually-hidden">, {tables}</span>
      <span className="outline-count" title={tables} aria-hidden="true">
        {row.tables.toLocaleString('en')}
      </span>
    </div>
  )
}

function Table({ id, row, top, active, tools, off, onPress }: RowProps<TableRow>) {
  const { entry, hits, place } = row
  const selected = useStore((s) => s.selected.has(entry.key))
  const columns = entry.table ? plural(entry.table.columns.length, 'column') : ''
  const said = [columns, entry.change, off && 'not shown on the canvas', hits.length > 0 && `found: ${hits.join(', ')}`].filter(Boolean).join(', ')
  const classes = ['outline-row', active && 'active', selected && 'selected', tools && 'tooled', off && 'off', !entry.table && 'dropped']
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      role="treeitem"
      id={id}
      aria-level={place.level}
      aria-posinset={place.index}
      aria-setsize={place.of}
      aria-selected={selected}
      title={[entry.name, said].filter(Boolean).join(', ')}
      style={{ top }}
      data-row={row.key}
      data-testid={`outline-${entry.schema ? `${entry.schema}.` : ''}${entry.name}`}
      onClick={() => onPress(row)}
    >
      <span className={entry.tone ? `outline-mark tone-${entry.tone}` : 'outline-mark'} aria-hidden="true">
        {entry.tone && toneMarks[entry.tone]}
      </span>
      <span className="outline-name">{entry.name}</span>
      <span className="visually-hidden">, {said}</span>
      {hits.length > 0 && (
        <span className="outline-hits" aria-hidden="true">
          {hits.join(', ')}
        </span>
      )}
      {off && (
        <span className="outline-off" aria-hidden="true">
          <Icon name="hide" />
        </span>
      )}
      <span className="outline-count" aria-hidden="true">
        {entry.table ? entry.table.columns.length.toLocaleString('en') : 'dropped'}
      </span>
    </div>
  )
}
