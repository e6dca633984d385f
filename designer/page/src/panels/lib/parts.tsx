import { Fragment, type ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/Icon'
import type { Risk } from './api'
import { wordsOfRisk } from './words'
import './panels.css'

// The small parts that panels are made of.

interface NoteProps {
  tone: 'info' | 'good' | 'warn' | 'bad'
  children: ReactNode
  testId?: string
  live?: boolean // read out when it comes
}

export function Note({ tone, children, testId, live }: NoteProps) {
  const icon: IconName = tone === 'good' ? 'check' : tone === 'info' ? 'help' : 'warn'
  return (
    <div className={`notice ${tone}`} data-testid={testId} role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}

// Breakable is a text whose long names may continue on the next line after an
// underscore or a dot, before they are cut anywhere.
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[_.])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

export function Failed({ what, error, again }: { what: string; error: string; again: () => void }) {
  return (
    <Note tone="bad" live testId="panel-error">
      <p>
        {what} could not be read: {error}
      </p>
      <button type="button" className="button small" onClick={again}>
        Try again
      </button>
    </Note>
  )
}

export function Loading({ what }: { what: string }) {
  return (
    <p className="empty" role="status">
      Loading {what} …
    </p>
  )
}

export function Risks({ risks }: { risks: readonly Risk[] | undefined }) {
  if (!risks?.length) return null
  return (
    <span className="risks">
      {risks.map((risk) => {
        const words = wordsOfRisk(risk)
        return (
          <span key={risk} className={`risk ${risk}`} title={words.title} data-testid="risk">
            {words.label}
          </span>
        )
      })}
    </span>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  choices: readonly { id: T; text: string }[]
  chosen: T
  onChoose: (id: T) => void
  testId: string
}

// Choice is one of a few views of the same thing: a group of radio buttons,
// so arrows move between them.
export function Choice<T extends string>({ label, choices, chosen, onChoose, testId }: ChoiceProps<T>) {
  return (
    <fieldset className="choice" data-testid={testId}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map(({ id, text }) => (
        <label key={id} className={id === chosen ? 'chosen' : ''}>
          <input type="radio" name={testId} value={id} checked={id === chosen} onChange={() => onChoose(id)} data-testid={`${testId}-${id}`} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
