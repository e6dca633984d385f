import { getSnapshot, getTypes, listDesigns } from '../api/designs'
import { onSilence } from '../api/answering'
import { home } from '../api/home'
import { authorize, Failure, Offline, onLost } from '../api/http'
import type { Notice } from '../api/notices'
import type { Credential } from '../api/proof'
import { again, enter, forget, remember, type Standing } from '../api/session'
import { share } from '../api/together'
import { designer } from '../api/tools'
import { loadedAgain } from '../api/worker'
import type { DesignEvent } from '../api/types'
import { record } from './activity'
import { applyEvent, fromSnapshot } from './design'
import { forgetItems, freshenItems, readItems, saveItems } from './items'
import { freshenLayout, layoutNotice, loadLayout, saveLayout } from './layout'
import { confirm, onResync, pump } from './queue'
import { noFilter, store } from './state'
import { toast } from './toasts'
import { firstView, freshenViews, readViews } from './views'

// The life of the page: sign in, read, follow the events, reconnect, and read
// again if events were missed.

const listeners = new Set<(notice: Notice | { type: 'reconnected' }) => void>()
let stream: AbortController | null = null
let coming: Promise<void> | null = null

// onNotice calls a panel for notices and for 'reconnected', after which lists
// must be read again. It returns a function that unsubscribes.
export function onNotice(listener: (notice: Notice | { type: 'reconnected' }) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function start(): Promise<void> {
  onLost(() => void comeBack())
  onSilence((silent) => store.set({ silent }))
  onResync(resync)
  const standing = await enter()
  if (standing.kind === 'offline') {
    store.set({ phase: 'starting' })
    await comeBack()
  } else await settle(standing)
}

async function settle(standing: Standing): Promise<void> {
  if (standing.kind === 'ready') await begin(standing.credential)
  else if (standing.kind === 'signedOut') {
    forget()
    store.set({ phase: 'signedOut', why: standing.why })
  } else if (standing.kind === 'foreign' || standing.kind === 'shared' || standing.kind === 'insecure') store.set({ phase: standing.kind })
  else if (standing.kind === 'controlled') {
    store.set({ phase: 'controlled' })
    if (!loadedAgain()) location.reload()
  }
}

async function begin(credential: Credential): Promise<void> {
  authorize(credential)
  remember(credential).catch(() => undefined) // it then signs in again after a restart
  store.set({ projectRoot: credential.projectRoot, online: true })
  const fresh = store.get().confirmed === null
  if (fresh) await openFirst()
  if (store.get().online) void followEvents()
  void pump()
  void saveLayout()
  void saveItems()
}

// openFirst opens the connection that the address names, else the active one,
// else the first of the settings.
async function openFirst(): Promise<void> {
  try {
    const list = await listDesigns()
    store.set({ list })
    const asked = new URLSearchParams(home.address()).get('connection')
    const known = [...list.connections.map((c) => c.id), ...list.designs.map((d) => d.connection)]
    const first = known.find((id) => id === asked) ?? list.designs.find((d) => d.active)?.connection ?? known[0]
    if (first === undefined) store.set({ phase: 'empty' })
    else await openDesign(first)
  } catch (cause) {
    fail(cause)
  }
}

function fail(cause: unknown): void {
  if (cause instanceof Offline) return // comeBack is on its way
  store.set({ phase: 'failed', why: cause instanceof Error ? cause.message : String(cause) })
}

// openDesign shows the design of a connection, and opens it if need be.
export async function openDesign(connection: string): Promise<void> {
  await Promise.all([saveLayout(), saveItems()])
  forgetItems()
  store.set({
    connection, phase: 'loading', confirmed: null, design: null, dialect: null, pending: [],
    positions: {}, layoutLoaded: false, items: null, chosenItem: null, writing: null, moves: [], unmoved: [], selected: new Set(), selectedKey: null, renaming: null, marks: new Map(), activity: [], form: null,
    filter: noFilter, spread: null, views: null, naming: false,
  })
  try {
    if (!store.get().list.designs.some((d) => d.connection === connection)) await show(connection)
    const [snapshot, dialect, views, items] = await Promise.all([getSnapshot(connection), getTypes(connection), readViews(connection), readItems(connection), loadLayout(connection)])
    if (store.get().connection !== connection) return // another was opened meanwhile
    const design = fromSnapshot(snapshot, null)
    store.set({ dialect, phase: 'ready', views, items, ...firstView(design, views) })
    confirm(design, null)
  } catch (cause) {
    fail(cause)
  }
}

async function show(connection: string): Promise<void> {
  const reply = await designer<{ success: boolean; message?: string }>('show', connection)
  if (!reply.success) throw new Failure('tool', reply.message ?? 'the connection cannot be opened', 200)
  store.set({ list: await listDesigns() })
}

// resync reads the design again and keeps what has not changed.
export async function resync(): Promise<void> {
  const { connection, confirmed } = store.get()
  const snapshot = await getSnapshot(connection)
  if (store.get().connection === connection) confirm(fromSnapshot(snapshot, confirmed), null)
}

async function followEvents(): Promise<void> {
  stream?.abort()
  const own = (stream = new AbortController())
  const after = store.get().confirmed?.seq ?? store.get().list.seq
  try {
    for await (const item of share(store.get().projectRoot, after, own.signal)) {
      if (own.signal.aborted) return
      if (item.kind === 'standing') readAgain()
      if (item.kind === 'notice') hear(item.notice)
      if (item.kind === 'event') await take(item.event)
    }
  } catch {
    // whatever ended it, the instance is asked for its proof
  }
  if (!own.signal.aborted) void comeBack()
}

// readAgain repeats what notices announce: they are not kept for a late reader,
// and what was read before the stream stood may have missed one.
function readAgain(): void {
  void freshenList()
  void freshenLayout().catch(() => undefined) // what is shown stays
  void freshenViews().catch(() => undefined)
  void freshenItems().catch(() => undefined)
  for (const listener of listeners) listener({ type: 'reconnected' })
}

// freshenList reads the list of designs again; what stands there stays if that
// fails.
async function freshenList(): Promise<void> {
  const list = await listDesigns().catch(() => null)
  if (list) store.set({ list })
}

function hear(notice: Notice): void {
  if (notice.type === 'layout') layoutNotice(notice)
  if (notice.type === 'team') void freshenList()
  if (notice.type === 'views' && notice.connectionId === store.get().connection) void freshenViews().catch(() => undefined)
  if (notice.type === 'canvas' && notice.connectionId === store.get().connection) void freshenItems().catch(() => undefined)
  for (const listener of listeners) listener(notice)
}

async function take(event: DesignEvent): Promise<void> {
  const { confirmed, connection } = store.get()
  if (event.type === 'reset' || event.type === 'shown') store.set({ list: await listDesigns() })
  if (!confirmed || (event.connectionId !== undefined && event.connectionId !== connection)) return
  // A reset counts whatever its number: numbers start again if the instance's
  // state was lost.
  if (event.type === 'reset') return resync()
  if (event.seq <= confirmed.seq) return
  const next = applyEvent(confirmed, event)
  if (next) confirm(next, event.version ?? null)
  else await resync()
  const after = store.get().confirmed
  if (after && event.type !== 'shown') record(event, confirmed, after)
  if (event.tookBack) toast('warn', `${event.tookBack.file} was changed by another program, which took back ${event.tookBack.edits === 1 ? 'an edit' : `${event.tookBack.edits} edits`} of this design. One undo brings back what was before.`, { sticky: true })
}

// comeBack waits until the instance answers again and has proved itself.
function comeBack(): Promise<void> {
  coming ??= answered().then((standing) => {
    coming = null // before going on, since the connection may be lost again at once
    return settle(standing)
  })
  return coming
}

async function answered(): Promise<Standing> {
  stream?.abort()
  authorize(null)
  store.set({ online: false })
  for (let wait = 250; ; wait = Math.min(wait * 2, 5_000)) {
    await pause(wait)
    const standing = await again()
    if (standing.kind !== 'offline') return standing
  }
}

// pause waits, or until the browser says that it is worth another try.
function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer)
      removeEventListener('focus', end)
      removeEventListener('online', end)
      done()
    }
    const timer = setTimeout(end, ms)
    addEventListener('focus', end)
    addEventListener('online', end)
  })
}
