import { useState } from 'react'
import { useStore } from '../../store/state'
import type { Conflict, Side } from '../lib/api'
import { Note } from '../lib/parts'
import { plural } from '../lib/text'
import { tableTitle } from '../lib/words'

interface ConflictsProps {
  conflicts: readonly Conflict[]
  busy: boolean
  onResolve: (choices: { conflict: string; side: Side }[]) => void
}

// Conflicts lists what the design and the database have both changed, and
// lets a person choose a side for each.
export function Conflicts({ conflicts, busy, onResolve }: ConflictsProps) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const open = conflicts.filter((c) => !sides[c.id]).length
  const all = (side: Side): void => setSides(Object.fromEntries(conflicts.map((c) => [c.id, side])))
  return (
    <form
      className="conflicts"
      data-testid="conflicts"
      onSubmit={(event) => {
        event.preventDefault()
        if (open === 0) onResolve(conflicts.map((c) => ({ conflict: c.id, side: sides[c.id] ?? 'design' })))
      }}
    >
      <Note tone="warn" live>
        The design and the database have both changed {plural(conflicts.length, 'thing')}. Choose for each what the design shall say; this changes the design alone, no database.
      </Note>
      <div className="hstack">
        <button type="button" className="button small" onClick={() => all('design')}>
          All as in the design
        </button>
        <button type="button" className="button small" onClick={() => all('database')}>
          All as in the database
        </button>
      </div>
      {conflicts.map((c) => (
        <Question key={c.id} conflict={c} side={sides[c.id]} onChoose={(side) => setSides((s) => ({ ...s, [c.id]: side }))} />
      ))}
      <div className="hstack">
        <button type="submit" className="button primary" disabled={open > 0 || busy} data-testid="resolve">
          {open > 0 ? `${plural(open, 'conflict')} to choose` : 'Rebase the design'}
        </button>
      </div>
    </form>
  )
}

interface QuestionProps {
  conflict: Conflict
  side: Side | undefined
  onChoose: (side: Side) => void
}

function Question({ conflict, side, onChoose }: QuestionProps) {
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const { table, part, what, base } = conflict
  const choice = (of: Side, title: string, value: string | undefined) => (
    <label className={side === of ? 'chosen' : ''}>
      <input type="radio" name={conflict.id} checked={side === of} onChange={() => onChoose(of)} data-testid={`side-${of}`} />
      <span>{title}</span>
      {value !== undefined && value !== '' && <code>{value}</code>}
    </label>
  )
  return (
    <fieldset className="conflict" data-testid="conflict">
      <legend>
        {tableTitle(table, defaultSchema)}
        {part ? `, ${part}` : ''}: {what}
      </legend>
      {base && (
        <p className="quiet">
          It was <code>{base}</code>.
        </p>
      )}
      {choice('design', 'As in the design', conflict.design)}
      {choice('database', 'As in the database', conflict.database)}
    </fieldset>
  )
}
