import { home } from '../api/home'
import { Failure } from '../api/http'
import { getViews, type SavedView } from '../api/views'
import { equal, type Design } from './design'
import { firstFilter } from './rank'
import { noFilter, store, type OpenView, type State } from './state'

// The saved views of the design, which the instance keeps beside the layout, and
// which of them is open in this browser.

// readViews returns null where the instance is of a berth that keeps none.
export async function readViews(connection: string): Promise<readonly SavedView[] | null> {
  try {
    return (await getViews(connection)).views
  } catch (cause) {
    if (cause instanceof Failure && cause.code === 'not_found') return null
    throw cause
  }
}

// freshenViews reads what other pages have saved. A view that has not changed
// stays the object that it was.
export async function freshenViews(): Promise<void> {
  const { connection, views: before } = store.get()
  if (before === null) return
  const views = await readViews(connection)
  if (store.get().connection !== connection || !views) return
  store.set((s) => ({ views: views.map((v) => s.views?.find((old) => equal(old, v)) ?? v) }))
}

// firstView is what a design is opened with: the view that was open last in
// this browser, else what matters in a large one.
export function firstView(design: Design, views: readonly SavedView[] | null): Pick<State, 'filter' | 'spread'> {
  const last = home.read(key())
  const view = views?.find((v) => v.id === last)
  return view ? shownAs(view) : { filter: firstFilter(design), spread: null }
}

// shownAs is what the canvas shows of a saved view.
export function shownAs(view: SavedView): Pick<State, 'filter' | 'spread'> {
  const open: OpenView = { id: view.id, tables: new Set(Object.keys(view.tables)) }
  return { filter: { ...noFilter, view: open }, spread: { of: open, at: view.tables, items: view.items ?? {} } }
}

// keepOpen remembers which saved view is open; '': none.
export function keepOpen(id: string): void {
  home.keep(key(), id)
}

function key(): string {
  return `berth.open.${store.get().projectRoot}.${store.get().connection}`
}
