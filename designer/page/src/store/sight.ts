import { lookAt, type Sight } from '../api/designs'
import { createStore } from './store'
import { store } from './state'

// What this page knows of the database behind the design, and since when.
// While somebody sees the page it asks the instance every few seconds, which
// compares the database's change mark and reads it where that differs; when
// the page is loaded or gets the focus, it is read.

export interface Seen {
  connection: string
  seenAt: number | null // milliseconds since 1970; null: never in this run of the instance
  readAt: number | null
  problem: string // why it could not be looked at; '': it could
}

export const sight = createStore<{ seen: Seen | null }>({ seen: null })

const every = 3_000 // ms

let asking = false
let timer: ReturnType<typeof setTimeout> | undefined

// watchDatabase begins to look, for as long as the page lives.
export function watchDatabase(): void {
  document.addEventListener('visibilitychange', () => void look(true))
  addEventListener('focus', () => void look(true))
  let [connection, online] = ['', false]
  store.subscribe(() => {
    const now = store.get()
    const ready = now.phase === 'ready' ? now.connection : ''
    if (ready === connection && now.online === online) return
    ;[connection, online] = [ready, now.online]
    void look(true)
  })
  void look(true)
}

// look asks once, unless nobody sees the page or there is nothing to ask.
export async function look(whole: boolean): Promise<void> {
  clearTimeout(timer)
  timer = setTimeout(() => void look(false), every)
  const { connection, phase, online } = store.get()
  if (document.visibilityState !== 'visible' || phase !== 'ready' || !online || asking) return
  asking = true
  try {
    take(connection, await lookAt(connection, whole))
  } catch {
    // That the instance does not answer is said elsewhere; the age grows.
  } finally {
    asking = false
  }
}

function take(connection: string, got: Sight): void {
  const ago = (ms: number | null): number | null => (ms === null ? null : Date.now() - ms)
  sight.set({ seen: { connection, seenAt: ago(got.seenMs), readAt: ago(got.readMs), problem: got.problem ?? '' } })
}
