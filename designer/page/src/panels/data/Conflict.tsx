import { visible } from '../lib/text'
import { cellOf, readValues, type Edit, type Entry, type Values } from './edits'
import { brief, type Cell, type Rows } from './rows'

interface ConflictProps {
  now: Rows
  edit: Edit
  onTake: (id: string) => void
  onRebase: (edit: Edit, row: Values) => void
}

// Conflict shows what a row has now beside what the person saw and wants.
export function Conflict({ now, edit, onTake, onRebase }: ConflictProps) {
  const cells = now.rows[0]
  const again = (
    <button type="button" className="button small" data-testid="conflict-take" onClick={() => onTake(edit.id)}>
      Take my change back
    </button>
  )
  if (!cells) {
    return (
      <>
        <p data-testid="conflict-gone">No row has this key any more.</p>
        {again}
      </>
    )
  }
  // Where the row is as it was, the database refused the change.
  if (!now.columns.some((c, i) => cells[i] && changed(edit.row[c.name], cells[i]))) return again
  const lines = now.columns.flatMap((c, i) => {
    const cell = cells[i]
    const [saw, want] = [edit.row[c.name], edit.set[c.name]]
    return cell && (want || changed(saw, cell)) ? [{ name: c.name, cell, saw, want }] : []
  })
  return (
    <>
      <table className="row-conflict" data-testid="conflict">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">You saw</th>
            <th scope="col">Now</th>
            {edit.kind === 'update' && <th scope="col">Yours</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, cell, saw, want }) => (
            <tr key={name} className={changed(saw, cell) ? 'differs' : ''}>
              <th scope="row">{visible(name)}</th>
              <td>{saw && shown(cellOf(saw))}</td>
              <td>{shown(cell)}</td>
              {edit.kind === 'update' && <td>{want && shown(cellOf(want))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="hstack">
        {again}
        <button type="button" className="button small" data-testid="conflict-rebase" onClick={() => onRebase(edit, readValues(now.columns, cells))}>
          {edit.kind === 'delete' ? 'Delete it anyway' : 'Make my change anyway'}
        </button>
      </div>
    </>
  )
}

function shown(cell: Cell): string {
  const { text, cut } = brief(cell)
  return visible(text) + (cut ? '…' : '')
}

// changed reports whether a value that was read is another one now.
function changed(saw: Entry | undefined, cell: Cell): boolean {
  if (!saw) return false
  const was = cellOf(saw)
  return was.kind !== cell.kind || (was.kind !== 'null' && cell.kind !== 'null' && was.text !== cell.text)
}
