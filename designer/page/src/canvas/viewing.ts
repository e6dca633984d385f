import type { Items } from '../api/items'
import type { Id, Position } from '../api/types'
import { same as sameItem } from '../store/items'
import { rounded, samePlace } from '../store/layout'
import { putView, type SavedView, type ViewChange } from '../api/views'
import { select } from '../store/actions'
import { isInvented } from '../store/apply'
import type { Design } from '../store/design'
import { noFilter, store, type OpenView, type State } from '../store/state'
import { toast } from '../store/toasts'
import { freshenViews, shownAs } from '../store/views'
import { filtered } from './filter'
import { itemsOf } from './items/items'
import { placesOf, spreadOut } from './spread'
import { fitView } from './view'

// What a person does about saved views. One that is open is changed by nothing
// but Update: what is moved, hidden or shown in it meanwhile is of this page.

export function openView(view: SavedView): void {
  store.set(shownAs(view))
  select([])
  setTimeout(fitView)
}

// showOnly shows a set of tables that has no name yet, arranged for itself.
export function showOnly(ids: readonly Id[]): void {
  const view: OpenView = { id: '', tables: new Set(ids) }
  store.set({ filter: { ...noFilter, view } })
  setTimeout(fitView)
  void spreadOut().then((done) => done && setTimeout(fitView), () => undefined) // as they stand among all, then
}

// openedView is the saved view that is open.
export function openedView({ views, filter }: Pick<State, 'views' | 'filter'>): SavedView | undefined {
  const id = filter.view?.id
  return id ? views?.find((v) => v.id === id) : undefined
}

// matches reports whether the canvas shows just what a view has.
export function matches(view: SavedView, state: State): boolean {
  const { design, filter } = state
  if (!design) return true
  const [shown, places] = [filtered(design, filter), placesOf(state)]
  const there = Object.keys(view.tables).filter((id) => design.tables.has(id))
  return shown.length === there.length && shown.every(({ id }) => same(places[id], view.tables[id])) && matchItems(view.items ?? {}, itemsOf(state))
}

function matchItems(a: Items, b: Items): boolean {
  const ids = Object.keys(a)
  return ids.length === Object.keys(b).length && ids.every((id) => sameItem(a[id], b[id]))
}

function same(a: Position | undefined, b: Position | undefined): boolean {
  return a !== undefined && b !== undefined && samePlace(rounded(a), rounded(b))
}

// tablesNow is what a view of what is shown would have.
function tablesNow(design: Design, state: State): Record<Id, Position> {
  const places = placesOf(state)
  const at: Record<Id, Position> = {}
  for (const { id } of filtered(design, state.filter)) {
    const p = places[id]
    if (p && !isInvented(id)) at[id] = rounded(p)
  }
  return at
}

// saveView keeps what is shown under a name, and opens it. It returns what is
// wrong with the name, or ''.
export async function saveView(name: string): Promise<string> {
  const { design } = store.get()
  if (!design) return ''
  const tables = tablesNow(design, store.get())
  const items = itemsOf(store.get())
  const before = store.get().filter
  return sent({ name, tables, items }, (id) => {
    if (store.get().filter === before) store.set(shownAs({ id, name, tables, items }))
    store.set({ naming: false })
  })
}

// updateView keeps what is shown as the view that is open. Of its tables those
// that the design lacks now stay in it: undo may bring them back.
export async function updateView(): Promise<void> {
  const { design } = store.get()
  const view = openedView(store.get())
  if (!design || !view) return
  const gone = Object.entries(view.tables).filter(([id]) => !design.tables.has(id))
  const tables = { ...Object.fromEntries(gone), ...tablesNow(design, store.get()) }
  const items = itemsOf(store.get())
  const wrong = await sent({ id: view.id, tables, items }, () => {
    if (openedView(store.get())?.id === view.id) store.set(shownAs({ ...view, tables, items }))
  })
  if (wrong) toast('bad', wrong)
}

export function renameView(id: string, name: string): Promise<string> {
  return sent({ id, name })
}

export async function removeView(view: SavedView): Promise<void> {
  const wrong = await sent({ id: view.id, remove: true }, () => {
    toast('info', `Removed the view ${view.name}.`, { action: { label: 'Put back', run: () => void putBack(view) } })
  })
  if (wrong) toast('bad', wrong)
}

async function putBack({ name, tables, items = {} }: SavedView): Promise<void> {
  const wrong = await sent({ name, tables, items })
  if (wrong) toast('bad', wrong)
}

let turn: Promise<unknown> = Promise.resolve()

// sent asks the instance for a change, and returns its refusal in words, or ''.
// Changes take turns: what the second of two presses asks for may be done then.
function sent(change: ViewChange, then: (id: string) => void = () => undefined): Promise<string> {
  const { connection } = store.get()
  const answer = turn.then(() => ask(connection, change, then))
  turn = answer
  return answer
}

async function ask(connection: string, change: ViewChange, then: (id: string) => void): Promise<string> {
  const { connection: shown, views } = store.get()
  if (change.id && shown === connection && !views?.some((v) => v.id === change.id)) return 'remove' in change ? '' : 'Not saved: the view was removed. Save what is shown as a new one.'
  try {
    const { id } = await putView(connection, change)
    await freshenViews()
    then(id)
    return ''
  } catch (cause) {
    return `Not saved: ${cause instanceof Error ? cause.message : 'the instance did not answer'}`
  }
}
