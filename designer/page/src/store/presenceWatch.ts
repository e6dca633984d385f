import { home } from '../api/home'
import { getPresence, sayGone, sayPresence, type Own, type PresenceList } from '../api/presence'
import { browserOf } from './browser'
import { onNotice } from './live'
import { others, page, presence } from './presence'
import { store, type State } from './state'

// This page says what it shows, at most every two seconds, and once in a while
// that it is still there; it reads who is here when that has changed.

const between = 2_000 // ms between two messages at least
const beat = 30_000 // ms after which it is said again
const step = 10_000 // ms between two looks at how old the list is
const program = browserOf(navigator.userAgent, home.themed)

// ownOf is what this page shows: a form's table before the one that is selected.
export function ownOf(s: Pick<State, 'phase' | 'connection' | 'form' | 'renaming' | 'selected' | 'selectedKey' | 'panel'>, away: boolean): Own {
  const edited = s.form?.table ?? s.renaming?.table
  const only = s.selected.size === 1 ? [...s.selected][0] : s.selectedKey?.table
  return {
    page,
    program,
    connection: s.phase === 'ready' ? s.connection : '',
    table: s.phase === 'ready' ? (edited ?? only ?? '') : '',
    editing: s.phase === 'ready' && edited != null,
    view: s.panel ?? '',
    away,
  }
}

let said = ''
let saidAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let ticking: ReturnType<typeof setTimeout> | undefined

// watchPresence begins to say and to hear, for as long as the page lives.
export function watchPresence(): void {
  store.subscribe(sayIfNew)
  document.addEventListener('visibilitychange', sayIfNew)
  addEventListener('pagehide', () => sayGone(page))
  addEventListener('pageshow', (event) => {
    if (event.persisted) sayAgain() // it was kept by the browser, and comes back
  })
  onNotice((notice) => {
    if (notice.type === 'reconnected') sayAgain()
    else if (notice.type === 'presence' && document.visibilityState === 'visible') void read()
  })
}

function sayAgain(): void {
  said = ''
  sayIfNew()
}

// sayIfNew says what this page shows if that is not what it said last, soon.
function sayIfNew(): void {
  const text = JSON.stringify(ownNow())
  if (text === said && timer !== undefined) return
  clearTimeout(timer)
  const wait = text === said ? beat : Math.max(0, saidAt + between - Date.now())
  timer = setTimeout(() => void say(), wait)
}

function ownNow(): Own {
  return ownOf(store.get(), document.visibilityState !== 'visible')
}

async function say(): Promise<void> {
  timer = undefined
  const { phase, online } = store.get()
  const signedIn = phase === 'ready' || phase === 'loading' || phase === 'empty' || phase === 'failed'
  if (!signedIn || !online) {
    said = ''
    return // the state changes when it is back, and that calls again
  }
  const own = ownNow()
  said = JSON.stringify(own)
  saidAt = Date.now()
  try {
    take(await sayPresence(own))
  } catch {
    said = '' // what is lost is said elsewhere; who comes back says it again
  }
  timer ??= setTimeout(() => void say(), beat)
}

async function read(): Promise<void> {
  try {
    take(await getPresence())
  } catch {
    // as above
  }
}

function take(list: PresenceList): void {
  const now = Date.now()
  presence.set({ list, at: now, now })
  clearTimeout(ticking)
  if (others(presence.get()).length > 0) ticking = setTimeout(tick, step)
}

// tick has marks of an agent that has fallen silent go.
function tick(): void {
  presence.set({ now: Date.now() })
  ticking = setTimeout(tick, step)
}
