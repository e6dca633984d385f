import { getHistory } from '../api/designs'
import type { Outcome } from '../api/edits'
import { designer } from '../api/tools'
import { redoMove, undoMove } from './moves'
import { head, unsent } from './queue'
import { store } from './state'
import { toast, type Saying } from './toasts'

type Operation = 'undo' | 'redo'

// How long a step waits for an edit of the person's own that is on its way.
const patience = 5_000

// The version that the last step led to, for the one that was asked for while
// it was on its way; null: none is, or it was refused.
let last: Promise<string | null> = Promise.resolve(null)
let asked = 0

// step undoes or redoes one gesture of a person, one edit of an agent or one
// change of the layout, whichever came last, or all of the last call. It says
// which version it means, so that it never takes back what came in between. Steps
// asked for in quick succession run one after the other, each on what the one
// before led to; a refusal ends them all.
export function step(operation: Operation, batch = false): Promise<void> {
  const follows = asked++ > 0
  last = last.then(async (after) => {
    try {
      return follows && after === null ? null : await stepOnce(operation, batch, follows ? after : null)
    } finally {
      asked--
    }
  })
  return last.then(() => undefined)
}

async function stepOnce(operation: Operation, batch: boolean, after: string | null): Promise<string | null> {
  const { connection, design } = store.get()
  if (!design) return null
  if (!batch && (operation === 'undo' ? undoMove() : redoMove())) return after ?? head()
  if (unsent() && !(await sent())) {
    toast('info', 'Your last edit is still on its way.', { stands: unsent })
    return null
  }
  if (after === null && steps(operation) === 0) {
    toast('info', `There is nothing to ${operation}.`, { stands: () => steps(operation) === 0 })
    return null
  }
  const expectedVersion = after ?? head()
  try {
    const whole = batch || (await isGesture(operation, connection, expectedVersion))
    const payload = { expectedVersion, ...(whole ? { batch: true } : { steps: 1 }) }
    const outcome = await designer<Outcome>(operation, connection, { payload })
    if (outcome.success) return outcome.version
    toast('warn', outcome.reason === 'stale_state' ? `The design has just changed; look, and ${operation} again.` : outcome.message)
  } catch (cause) {
    toast('bad', cause instanceof Error ? cause.message : `${operation} failed`)
  }
  return null
}

// isGesture reports whether the next step is of a call that a page made, which
// is one thing that a person did: pasting tables, saving a form. An agent's call
// may be long, and a person goes through its edits one by one.
async function isGesture(operation: Operation, connection: string, version: string): Promise<boolean> {
  const history = await getHistory(connection, 1)
  const next = history[operation][0]
  return history.version === version && next?.origin === 'page' && next.batchId !== ''
}

// undoOf is what a toast about an edit offers for as long as nothing was done
// since.
export function undoOf(version: string): Saying {
  return { action: { label: 'Undo', run: () => takeBack(version) }, stands: () => head() === version && !unsent() }
}

// takeBack undoes all of the call that led to a version, if nothing was done
// since.
function takeBack(version: string): void {
  if (head() === version) void step('undo', true)
  else toast('info', 'The design has changed since. Activity has each step.')
}

// steps counts what can be undone or redone; an edit that is shown and not
// confirmed yet can be undone.
function steps(operation: Operation): number {
  const { confirmed, pending } = store.get()
  if (operation === 'redo') return confirmed?.redoSteps ?? 0
  return (confirmed?.undoSteps ?? 0) + pending.length
}

// sent waits until the instance has every edit of this page.
function sent(): Promise<boolean> {
  return new Promise((done) => {
    const end = (ok: boolean): void => {
      clearTimeout(timer)
      stop()
      done(ok)
    }
    const timer = setTimeout(() => end(false), patience)
    const stop = store.subscribe(() => {
      if (!unsent()) end(true)
    })
  })
}
