import { useState } from 'react'
import { Dialog } from '../../ui/Dialog'
import { Plain } from '../lib/Code'
import { visible } from '../lib/text'
import { brief, cutFrom, type Cell, type Rows } from './rows'

interface GridProps {
  columns: Rows['columns']
  rows: readonly Cell[][]
  first: number // number of the first row
  busy: boolean
}

export function Grid({ columns, rows, first, busy }: GridProps) {
  const [open, setOpen] = useState<{ cell: Cell; name: string } | null>(null)
  return (
    <div className="grid" tabIndex={0} role="region" aria-label="Rows" aria-busy={busy} data-testid="grid">
      <table>
        <thead>
          <tr>
            <th scope="col" className="row-no">
              <span className="visually-hidden">Row</span>
            </th>
            {columns.map((c, i) => (
              <th key={i} scope="col">
                {visible(c.name)} <span className="quiet">{visible(c.type.toLowerCase())}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              <th scope="row" className="row-no">
                {(first + r).toLocaleString('en')}
              </th>
              {row.map((cell, c) => (
                <td key={c} className={`cell-${cell.kind}`}>
                  <Value cell={cell} onOpen={() => setOpen({ cell, name: columns[c]?.name ?? '' })} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {open && <Whole {...open} onClose={() => setOpen(null)} />}
    </div>
  )
}

function Value({ cell, onOpen }: { cell: Cell; onOpen: () => void }) {
  const { text, cut } = brief(cell)
  if (cell.kind === 'null') return <span className="null-value">NULL</span>
  if (!cut) return visible(text)
  return (
    <button type="button" className="long" title="Show more of this value" onClick={onOpen}>
      {visible(text)}
      <span className="cut" aria-label="cut">
        …
      </span>
    </button>
  )
}

function Whole({ cell, name, onClose }: { cell: Cell; name: string; onClose: () => void }) {
  if (cell.kind === 'null') return null
  const whole = cutFrom(cell)
  const shown = cell.kind === 'blob' ? `0x${cell.text}` : cell.text
  return (
    <Dialog title={visible(name)} wide testId="value" onClose={onClose}>
      {whole !== null && <p className="quiet">Cut: the whole value has {whole.toLocaleString('en')} bytes.</p>}
      <Plain code={shown} label={`Value of ${visible(name)}`} />
    </Dialog>
  )
}
