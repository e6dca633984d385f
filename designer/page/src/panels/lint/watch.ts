import { getLint } from '../../api/designs'
import { flaggedIn, graveOf, noLint } from '../../store/lint'
import { store, useStore } from '../../store/state'
import { messageOf } from '../lib/text'
import { useLook } from '../lib/useLook'

const rest = 600 // ms without an edit until the design is looked at

// useLint keeps what lint says of the design that is shown, and returns how many
// findings are more than a matter of taste.
export function useLint(): number {
  useLook(rest, look)
  return useStore((s) => (s.lint.connection === s.connection ? graveOf(s.lint.report).length : 0))
}

async function look(connection: string, signal?: AbortSignal): Promise<void> {
  try {
    const report = await getLint(connection, signal)
    store.set({ lint: { connection, report, error: '', flagged: flaggedIn(report) } })
  } catch (cause) {
    if (!signal?.aborted) store.set({ lint: { ...noLint, connection, error: messageOf(cause) } })
  }
}

// lookAgain is look for a person who asks for it.
export function lookAgain(): void {
  void look(store.get().connection)
}
