import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Approval } from '../../api/types'
import { useStore } from '../../store/state'
import { useSingleKeys } from '../../ui/singleKeys'
import { Diff, Plain, Sql } from '../lib/Code'
import { Note } from '../lib/parts'
import { countdown, visible } from '../lib/text'
import { armed, decisionOf, nameToType, waiting } from './approvals'
import { decide } from './watch'

interface EntryProps {
  entry: Approval
  now: number
  deciding: 'approve' | 'reject' | undefined
  onDecided: () => void // the entry leaves the place where it was, and the focus with it
}

const kinds: Record<string, string> = { file: 'File', query: 'Query that writes', publish: 'Publish', design: 'Design', undo: 'Undo' }
const states: Record<Approval['state'], string> = { pending: 'Waits', approved: 'Approved, not used yet', rejected: 'Rejected', used: 'Approved and used', expired: 'Expired', displaced: 'Pushed out by newer ones' }

// Entry is one plan. Its keys work while the entry itself has the focus, and
// only after it has had it for a moment.
export function Entry({ entry, now, deciding, onDecided }: EntryProps) {
  const title = useId()
  const single = useSingleKeys()
  const { ready, focused, ...guard } = useGuard()
  const open = waiting(entry, now)
  const [typed, setTyped] = useState('')
  const name = nameToType(entry)
  const byKey = !entry.cut && name === ''
  const allowed = !entry.cut && deciding === undefined && typed.trim() === name
  const state = entry.state === 'pending' && !open ? 'expired' : entry.state
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const decision = decisionOf(
      {
        key: event.key,
        repeat: event.repeat,
        modified: event.ctrlKey || event.altKey || event.metaKey,
        onEntry: event.target === event.currentTarget,
        focusedFor: guard.focusedFor(),
      },
      entry,
      Date.now(),
    )
    if (!decision || deciding) return
    event.preventDefault()
    event.stopPropagation()
    void decide(entry, decision).then(onDecided)
  }
  return (
    <article
      className={`approval ${state}`}
      tabIndex={open ? 0 : -1}
      aria-labelledby={title}
      aria-keyshortcuts={open && single ? (byKey ? 'a r' : 'r') : undefined}
      data-testid="approval"
      data-state={state}
      onKeyDown={open && single ? onKeyDown : undefined}
      onFocus={guard.onFocus}
      onBlur={guard.onBlur}
    >
      <header>
        <span className={`approval-kind ${entry.kind}`}>{kinds[entry.kind] ?? entry.kind}</span>
        <span className="quiet">{entry.client}</span>
        <span className="approval-time" data-testid="approval-time">
          {open ? (
            <span role="timer" aria-label="Time left">
              {countdown(Date.parse(entry.expires) - now)} left
            </span>
          ) : (
            <strong className={`state ${state}`}>{states[state]}</strong>
          )}
        </span>
        <h3 id={title}>{visible(entry.title)}</h3>
      </header>
      <Detail entry={entry} folded={!open} />
      {entry.cut && (
        <Note tone="warn" testId="approval-cut">
          This is not all of it: it was too long to be shown, so it cannot be approved. Reject it, and have it made in smaller parts.
        </Note>
      )}
      {open && name !== '' && !entry.cut && (
        <label className="labelled">
          <span>
            Data is lost by this. Type <code>{visible(name)}</code> to approve it
          </span>
          <input type="text" value={typed} autoComplete="off" autoCapitalize="off" spellCheck={false} data-testid="approve-name" onChange={(e) => setTyped(e.target.value)} />
        </label>
      )}
      {open && (
        <div className="hstack">
          <button type="button" className="button primary" disabled={!allowed} data-testid="approve" onClick={() => void decide(entry, 'approve', typed).then(onDecided)}>
            Approve
          </button>
          <button type="button" className="button" disabled={deciding !== undefined} data-testid="reject" onClick={() => void decide(entry, 'reject').then(onDecided)}>
            Reject
          </button>
          {focused && single && (
            <span className="quiet" role="status">
              {ready ? (byKey ? 'A approves, R rejects this' : 'R rejects this') : 'Keys work in a moment'}
            </span>
          )}
        </div>
      )}
    </article>
  )
}

interface Guard {
  ready: boolean
  focused: boolean
  focusedFor: () => number
  onFocus: (event: { target: EventTarget; currentTarget: EventTarget }) => void
  onBlur: () => void
}

// useGuard measures how long an entry has had the focus.
function useGuard(): Guard {
  const since = useRef(Infinity)
  const [focused, setFocused] = useState(false)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (!focused) return
    const timer = setTimeout(() => setReady(true), armed)
    return () => clearTimeout(timer)
  }, [focused])
  return {
    ready,
    focused,
    focusedFor: () => performance.now() - since.current,
    onFocus: ({ target, currentTarget }) => {
      const own = target === currentTarget
      since.current = own ? performance.now() : Infinity
      setFocused(own)
      setReady(false)
    },
    onBlur: () => {
      since.current = Infinity
      setFocused(false)
      setReady(false)
    },
  }
}

function Detail({ entry, folded }: { entry: Approval; folded: boolean }) {
  const [open, setOpen] = useState(false)
  const dialect = useStore((s) => s.design?.dialect ?? '')
  if (entry.detail === '') return null
  if (folded && !open) {
    return (
      <button type="button" className="button link" onClick={() => setOpen(true)}>
        Show what it was
      </button>
    )
  }
  if (entry.format === 'diff') return <Diff diff={entry.detail} label={entry.title} />
  if (entry.format === 'sql') return <Sql code={entry.detail} dialect={dialect} label={entry.title} />
  return <Plain code={entry.detail} label={entry.title} />
}
