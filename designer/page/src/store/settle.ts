import type { Outcome } from '../api/edits'
import type { Finding } from '../api/lint'
import { designer } from '../api/tools'
import { head } from './queue'
import { store } from './state'
import { toast } from './toasts'

// settle makes the edits of a finding, which undo takes back as any other.
export async function settle({ edits }: Finding): Promise<void> {
  const { connection } = store.get()
  try {
    const outcome = await designer<Outcome>('apply_edits', connection, { payload: { expectedVersion: head(), edits }, options: { atomic: true } })
    if (!outcome.success) toast('warn', outcome.message)
  } catch (cause) {
    toast('bad', cause instanceof Error ? cause.message : String(cause))
  }
}
