import { useMemo, useState } from 'react'
import type { HistoryStep, Id, Table } from '../../api/types'
import { titleOf } from '../../store/design'
import { store, useStore } from '../../store/state'
import { Breakable } from '../lib/parts'
import { toneMarks, type Tone } from '../lib/words'
import { diffTables, type PartDiff, type PartState } from './tableDiff'

type States = NonNullable<HistoryStep['tables']>[number]

const tones: Record<PartState, Tone | null> = { added: 'add', dropped: 'drop', changed: 'change', same: null }
const words: Record<PartState, string> = { added: 'added', dropped: 'dropped', changed: 'changed', same: 'unchanged' }

// TableDiff shows one table before and after a step. What did not change is
// folded away.
export function TableDiff({ states, others }: { states: States; others: readonly States[] }) {
  const [all, setAll] = useState(false)
  const parts = useMemo(() => {
    const find = (id: Id | undefined): Table | undefined => {
      const beside = others.find((o) => o.id === id)
      return beside?.after ?? beside?.before ?? store.get().design?.tables.get(id ?? '')
    }
    const name = (id: Id | undefined): string => {
      const table = find(id)
      return table ? titleOf(store.get().design ?? { defaultSchema: '' }, table) : '?'
    }
    return diffTables(states.before, states.after, name, (t, c) => find(t)?.columns.find((x) => x.id === c)?.name ?? '?')
  }, [states, others])
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const table = states.after ?? states.before
  const state = states.before ? (states.after ? 'changed' : 'dropped') : 'added'
  const same = parts.filter((p) => p.state === 'same').length
  if (!table) return null
  return (
    <section className="table-diff" aria-label={`Table ${table.name}, ${state}`} data-testid="table-diff">
      <h3>
        <Mark state={state} /> <Breakable text={titleOf({ defaultSchema }, table)} />
      </h3>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
            <th scope="col">Part</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((p, i) => (p.state === 'same' && !all ? null : <Row key={i} part={p} />))}
        </tbody>
      </table>
      {same > 0 && (
        <button type="button" className="button link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Hide what is unchanged' : `${same} unchanged`}
        </button>
      )}
    </section>
  )
}

function Mark({ state }: { state: PartState }) {
  const tone = tones[state]
  return (
    <span className={tone ? `change-sign tone-${tone}` : 'change-sign'}>
      <span aria-hidden="true">{tone ? toneMarks[tone] : ''}</span>
      <span className="visually-hidden">{words[state]}</span>
    </span>
  )
}

function After({ part }: { part: PartDiff }) {
  const text = <Breakable text={part.after ?? ''} />
  if (part.state === 'same') return text
  if (part.state === 'dropped') return null
  return part.before === part.after ? <span className="quiet">{text}</span> : <ins>{text}</ins>
}

function Row({ part }: { part: PartDiff }) {
  const renamed = part.was !== undefined && part.was !== part.name
  return (
    <tr className={`part-${part.state}`}>
      <td>
        <Mark state={part.state} />
      </td>
      <th scope="row">
        {part.kind !== 'column' && <span className="quiet">{part.kind} </span>}
        <Breakable text={part.name} />
        {renamed && (
          <span className="quiet">
            {' '}
            (was <Breakable text={part.was ?? ''} />)
          </span>
        )}
      </th>
      <td>
        {part.before !== part.after && part.before !== undefined && (
          <del>
            <Breakable text={part.before} />
          </del>
        )}
      </td>
      <td>
        <After part={part} />
      </td>
    </tr>
  )
}
