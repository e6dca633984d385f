import type { Column } from '../api/types'
import { typeOf } from '../store/design'
import './dropped.css'

const most = 12 // rows: the review has all of them

// DroppedRows are the columns that the agent dropped from a table, until that is
// reviewed. They hang below its last row, in the room that the card had before:
// rows between the others would move the ends of lines, and a table's size is
// that of what it has.
export default function DroppedRows({ columns }: { columns: readonly Column[] }) {
  const shown = columns.length > most ? columns.slice(0, most - 1) : columns
  return (
    <div className="dropped-rows">
      {shown.map((c) => (
        <div key={c.id} className="row" data-testid={`dropped-${c.name}`}>
          <span className="mark" aria-hidden="true">
            −
          </span>
          <del className="name">{c.name}</del>
          <del className="type">{typeOf(c)}</del>
          <span className="visually-hidden">, dropped by the agent</span>
        </div>
      ))}
      {shown.length < columns.length && <div className="row">… {columns.length - shown.length} more dropped by the agent</div>}
    </div>
  )
}
