import { useEffect, useRef } from 'react'
import { reveal } from '../../canvas/view'
import { store } from '../../store/state'
import { Icon } from '../../ui/Icon'
import { Breakable } from '../lib/parts'
import type { Item } from './review'
import { TableDiff } from './TableDiff'

const verdicts = { kept: 'Kept', reverted: 'Reverted' } as const

// StepCard shows one of the agent's steps. It takes the focus, so that its
// keys work from one step to the next.
export function StepCard({ item }: { item: Item }) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.focus({ preventScroll: true }), [])
  const { step, place, batch, verdict } = item
  const tables = step.tables ?? []
  const show = (): void => {
    const there = store.get().design?.tables
    reveal(tables.map((t) => t.id).filter((id) => there?.has(id)))
  }
  return (
    <article className={`step-card ${verdict ?? 'open'}`} ref={card} tabIndex={-1} aria-label={`${step.description}${verdict ? `, ${verdict}` : ''}`} data-testid="review-step">
      <header>
        <h3>
          <Breakable text={step.description} />
        </h3>
        <p className="quiet">
          <span className="who-agent">Agent</span> · <time dateTime={step.at}>{new Date(step.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}</time>
          {batch > 1 && ` · ${place} of ${batch} in one call`}
          {verdict && <strong className={`verdict ${verdict}`}> · {verdicts[verdict]}</strong>}
        </p>
        <button type="button" className="icon-button" aria-label="Show on the canvas" title="Show on the canvas" onClick={show}>
          <Icon name="fit" />
        </button>
      </header>
      {tables.map((t) => (
        <TableDiff key={t.id} states={t} others={tables} />
      ))}
      {tables.length === 0 && <p className="quiet">What it touched is too far back to be shown.</p>}
    </article>
  )
}
