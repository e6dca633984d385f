import type { ReactNode } from 'react'
import type { HistoryStep } from '../../api/types'
import { Breakable } from '../lib/parts'
import { visible } from '../lib/text'
import { toneMarks, type Tone } from '../lib/words'
import type { Field, Part } from './net'
import { Settling } from './Settling'

const said = { add: 'added', drop: 'dropped', change: 'changed' } as const

interface NetCardProps {
  kind: 'Table' | 'Type'
  at: string // its key
  title: string
  tone: Tone
  last: HistoryStep
  parts: readonly Part[]
  testId: string
  summary?: string // in place of parts
  tool?: ReactNode
}

// NetCard is the net change of one table or type.
export function NetCard({ kind, at, title, tone, last, parts, testId, summary, tool }: NetCardProps) {
  return (
    <article className="net-card" aria-label={`${kind} ${title}, ${said[tone]}`} data-testid={testId}>
      <header>
        <div>
          <h3>
            <Sign tone={tone} /> {kind === 'Type' && 'type '}
            <Breakable text={visible(title)} /> <span className="quiet">{said[tone]}</span>
          </h3>
          <By step={last} />
        </div>
        {tool}
      </header>
      {summary && <p className="net-values">{visible(summary)}</p>}
      {parts.length > 0 && (
        <ul className="net-parts">
          {parts.map((p, i) => (
            <PartLine key={p.key || i} part={p} />
          ))}
        </ul>
      )}
      <Settling at={at} what={title} />
    </article>
  )
}

// By says who made a step, by which program, and when.
function By({ step }: { step: HistoryStep }) {
  return (
    <p className="quiet">
      <span className="who-agent">{step.client ? visible(step.client) : 'Agent'}</span>
      {step.author && ` for ${step.author}`} · <time dateTime={step.at}>{new Date(step.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}</time>
    </p>
  )
}

// PartLine has one line if one field of a part differs.
function PartLine({ part }: { part: Part }) {
  const { fields, tone } = part
  const what = [part.kind === 'table' ? '' : part.kind, part.name].filter(Boolean).join(' ')
  const name = what !== fields[0]?.name && <Breakable text={visible(what)} />
  if (fields.length === 1 && fields[0]) {
    return (
      <li>
        <FieldLine field={fields[0]} what={[what, fields[0].name].filter(Boolean).join(' ')}>
          <Sign tone={tone} /> {name}{' '}
        </FieldLine>
      </li>
    )
  }
  return (
    <li>
      <div className="net-field">
        <span className="net-values">
          <Sign tone={tone} /> {name}
        </span>
        {part.key && <Settling at={part.key} what={what} small />}
      </div>
      {fields.map((f) => (
        <FieldLine key={f.key + f.name} field={f} what={[what, f.name].filter(Boolean).join(' ')} />
      ))}
    </li>
  )
}

function FieldLine({ field, what, children }: { field: Field; what: string; children?: ReactNode }) {
  return (
    <div className={children ? 'net-field' : 'net-field inner'}>
      <span className="net-values">
        {children}
        {field.name && <span className="quiet">{field.name} </span>}
        {field.before && <del>{visible(field.before)}</del>}
        {field.before && field.after && ' → '}
        {field.after && <ins>{visible(field.after)}</ins>}
      </span>
      {field.key && <Settling at={field.key} what={what} small />}
    </div>
  )
}

function Sign({ tone }: { tone: Tone }) {
  return (
    <span className={`change-sign tone-${tone}`}>
      <span aria-hidden="true">{toneMarks[tone]}</span>
      <span className="visually-hidden">{said[tone]}</span>
    </span>
  )
}
