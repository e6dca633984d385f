import { fillLayout, getLayout, putLayout } from '../api/designs'
import { Offline } from '../api/http'
import type { Notice } from '../api/notices'
import type { Id, Position } from '../api/types'
import { isInvented } from './apply'
import { store } from './state'
import { toast } from './toasts'

// Where the tables stand. Positions are kept by the instance, per design, so
// that a project looks the same tomorrow, in another tab and elsewhere.

const dirty = new Map<Id, Position | null>() // moved by the person here
const filling = new Map<Id, Position>() // placed by this page, where nobody else has done it yet
const held = new Map<Id, Position>() // likewise, for as long as nothing else is told
let timer: ReturnType<typeof setTimeout> | undefined

export async function loadLayout(connection: string): Promise<void> {
  const layout = await getLayout(connection)
  store.set({ positions: layout.positions, layoutLoaded: true })
}

// freshenLayout reads what other tabs may have moved without a word to this
// one; what stands here and is not known there, or not saved yet, stays.
export async function freshenLayout(): Promise<void> {
  const { connection, layoutLoaded } = store.get()
  if (!layoutLoaded) return // it is on its way
  const { positions } = await getLayout(connection)
  if (store.get().connection === connection) takeOver(positions)
}

function takeOver(positions: Readonly<Record<Id, Position | null>>, old = store.get().positions): void {
  const others = Object.entries(positions).filter(([id]) => !dirty.has(id))
  for (const [id] of others) for (const mine of [filling, held]) mine.delete(id)
  const now = store.get().positions
  if (old === now && others.every(([id, at]) => samePlace(now[id], at))) return
  store.set({ positions: placed(old, Object.fromEntries(others)) })
}

// move puts tables somewhere, here at once and at the instance a moment later.
export function move(positions: Readonly<Record<Id, Position | null>>): void {
  store.set((s) => ({ positions: placed(s.positions, positions) }))
  for (const [id, at] of Object.entries(positions)) if (!isInvented(id)) dirty.set(id, at && rounded(at))
  saveSoon()
}

// fill is move for tables that this page has found a place for by itself: a
// place that they have at the instance by then is theirs.
export function fill(positions: Readonly<Record<Id, Position>>): void {
  hold(positions)
  saveSoon()
}

// hold is fill until there is something better: the instance is told once
// anything is moved or filled, so that no other page sees half of it.
export function hold(positions: Readonly<Record<Id, Position>>): void {
  store.set((s) => ({ positions: placed(s.positions, positions) }))
  for (const [id, at] of Object.entries(positions)) if (!isInvented(id) && !dirty.has(id)) held.set(id, rounded(at))
}

function saveSoon(): void {
  for (const [id, at] of held) filling.set(id, at)
  held.clear()
  clearTimeout(timer)
  timer = setTimeout(() => void saveLayout(), 300)
}

function placed(old: Readonly<Record<Id, Position>>, change: Readonly<Record<Id, Position | null>>): Record<Id, Position> {
  const next = { ...old }
  for (const [id, at] of Object.entries(change)) {
    if (at) next[id] = at
    else Reflect.deleteProperty(next, id)
  }
  return next
}

// rounded is a place as the instance keeps it.
export function rounded({ x, y, collapsed }: Position): Position {
  return { x: Math.round(x), y: Math.round(y), ...(collapsed ? { collapsed } : {}) }
}

export function samePlace(a: Position | null | undefined, b: Position | null | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && Boolean(a?.collapsed) === Boolean(b?.collapsed)
}

// keepCollapsed is where tables go, collapsed as they were unless that is said.
export function keepCollapsed(were: Readonly<Record<Id, Position>>, to: Readonly<Record<Id, Position>>): Record<Id, Position> {
  return Object.fromEntries(Object.entries(to).map(([id, at]) => [id, were[id]?.collapsed ? { collapsed: true, ...at } : at]))
}

export async function saveLayout(): Promise<void> {
  const { connection, online } = store.get()
  if (!online) return
  try {
    await send(filling, async (sent) => {
      const { positions } = await fillLayout(connection, sent)
      if (store.get().connection === connection) takeOver(positions)
    })
    await send(dirty, (sent) => putLayout(connection, sent))
  } catch (cause) {
    if (!(cause instanceof Offline)) toast('warn', 'The layout could not be saved; it is kept in this page and saved with the next move.')
  }
}

// send empties a map into a request, and puts it back if that fails.
async function send<P>(map: Map<Id, P>, request: (sent: Record<Id, P>) => Promise<unknown>): Promise<void> {
  if (map.size === 0) return
  const sent = Object.fromEntries(map)
  map.clear()
  try {
    await request(sent)
  } catch (cause) {
    for (const [id, at] of Object.entries(sent)) if (!map.has(id)) map.set(id, at)
    throw cause
  }
}

// layoutNotice takes over what another tab moved.
export function layoutNotice(notice: Extract<Notice, { type: 'layout' }>): void {
  if (notice.connectionId === store.get().connection) takeOver(notice.positions, notice.replace ? {} : undefined)
}
