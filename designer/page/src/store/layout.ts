import { getLayout, putLayout } from '../api/designs'
import { Offline } from '../api/http'
import type { Id, Notice, Position } from '../api/types'
import { isInvented } from './apply'
import { store } from './state'
import { toast } from './toasts'

// Where the tables stand. Positions are kept by the instance, per design, so
// that a project looks the same tomorrow, in another tab and elsewhere.

const dirty = new Map<Id, Position | null>()
let timer: ReturnType<typeof setTimeout> | undefined

export async function loadLayout(connection: string): Promise<void> {
  const layout = await getLayout(connection)
  store.set({ positions: layout.positions, layoutLoaded: true })
}

// moveHere puts tables somewhere for now; nobody else is told.
export function moveHere(positions: Readonly<Record<Id, Position>>): void {
  store.set((s) => ({ positions: placed(s.positions, positions) }))
}

// move puts tables somewhere, here at once and at the instance a moment later.
export function move(positions: Readonly<Record<Id, Position | null>>): void {
  store.set((s) => ({ positions: placed(s.positions, positions) }))
  for (const [id, at] of Object.entries(positions)) if (!isInvented(id)) dirty.set(id, at && rounded(at))
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

function rounded({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) }
}

export async function saveLayout(): Promise<void> {
  const { connection, online } = store.get()
  if (dirty.size === 0 || !online) return
  const sent = Object.fromEntries(dirty)
  dirty.clear()
  try {
    await putLayout(connection, sent)
  } catch (cause) {
    for (const [id, at] of Object.entries(sent)) if (!dirty.has(id)) dirty.set(id, at)
    if (!(cause instanceof Offline)) toast('warn', 'The layout could not be saved; it is kept in this page and saved with the next move.')
  }
}

// layoutNotice takes over what another tab moved.
export function layoutNotice(notice: Extract<Notice, { type: 'layout' }>): void {
  if (notice.connectionId !== store.get().connection) return
  const others = Object.fromEntries(Object.entries(notice.positions).filter(([id]) => !dirty.has(id)))
  store.set((s) => ({ positions: placed(notice.replace ? {} : s.positions, others) }))
}
