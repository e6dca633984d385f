import { useEffect, useRef } from 'react'
import type { SavedView } from '../api/views'
import { equal } from '../store/design'
import { store, useStore, type State } from '../store/state'
import { toast } from '../store/toasts'
import { keepOpen } from '../store/views'
import { matches, openView, openedView } from './viewing'

// useOpenView follows the saved view that is open: which one is remembered for
// this browser, and what another page makes of it.
export function useOpenView(): void {
  const ready = useStore((s) => s.design !== null)
  const id = useStore((s) => s.filter.view?.id ?? '')
  const stored = useStore(openedView)
  const before = useRef<SavedView | undefined>(undefined)
  useEffect(() => {
    if (ready) keepOpen(id)
  }, [ready, id])
  useEffect(() => {
    const was = before.current
    before.current = stored
    if (was && was.id === id && was !== stored) follow(was, stored, store.get())
  }, [id, stored])
}

// follow takes over what has become of the view that is open.
export function follow(was: SavedView, now: SavedView | undefined, state: State): void {
  if (!now) {
    // What is shown stays, as a view without a name.
    store.set(({ filter }) => (filter.view ? unnamed(filter.view.tables, state) : {}))
    return
  }
  if ((equal(now.tables, was.tables) && equal(now.items, was.items)) || matches(now, state)) return
  if (matches(was, state)) openView(now)
  else
    toast('warn', `The view ${now.name} was changed at another page. Updating it would put yours in its place.`, {
      sticky: true,
      stands: () => store.get().filter.view?.id === now.id,
      action: { label: 'Show theirs', run: () => openView(now) },
    })
}

function unnamed(tables: ReadonlySet<string>, { filter, spread }: State): Partial<State> {
  const view = { id: '', tables }
  return { filter: { ...filter, view }, spread: spread && spread.of === filter.view ? { ...spread, of: view } : spread }
}
