import { useEffect, useMemo, useRef, useState } from 'react'
import type { SavedView } from '../api/views'
import { openedView, openView, removeView, renameView, saveView } from '../canvas/viewing'
import { store, useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { NameField } from './NameField'
import { inOrder } from './rows'
import './views.css'

// Views lists the saved views of the design: to open one, and to save what the
// canvas shows as another.
export function Views({ onShow }: { onShow: () => void }) {
  const views = useStore((s) => s.views)
  const open = useStore(openedView)
  const naming = useStore((s) => s.naming)
  const add = useRef<HTMLButtonElement>(null)
  const sorted = useMemo(() => [...(views ?? [])].sort((a, b) => inOrder.compare(a.name, b.name)), [views])
  useEffect(() => () => store.set({ naming: false }), [])
  if (!views) return null
  const close = (): void => {
    store.set({ naming: false })
    setTimeout(() => add.current?.focus())
  }
  return (
    <section className="views" aria-label="Saved views" data-testid="views">
      <header className="views-head">
        <h2>Views</h2>
        <button type="button" className="button small" ref={add} title="Save what the canvas shows as a view" data-testid="add-view" disabled={naming} onClick={() => store.set({ naming: true })}>
          <Icon name="plus" /> Save
        </button>
      </header>
      {naming && <NameField label="Name of the view" value={freeName(views)} save={saveView} onClose={close} />}
      {sorted.length > 0 && (
        <ul className="views-list">
          {sorted.map((view) => (
            <ViewRow key={view.id} view={view} open={view === open} onShow={onShow} />
          ))}
        </ul>
      )}
    </section>
  )
}

function freeName(views: readonly SavedView[]): string {
  const taken = new Set(views.map((v) => v.name.toLowerCase()))
  for (let n = 1; ; n++) if (!taken.has(`view ${n}`)) return `View ${n}`
}

function ViewRow({ view, open, onShow }: { view: SavedView; open: boolean; onShow: () => void }) {
  const [renaming, setRenaming] = useState(false)
  const tables = useStore((s) => Object.keys(view.tables).filter((id) => s.design?.tables.has(id)).length)
  const row = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setRenaming(false)
    setTimeout(() => row.current?.focus())
  }
  const show = (): void => {
    openView(view)
    onShow()
  }
  const words = tables === 1 ? '1 table' : `${tables.toLocaleString('en')} tables`
  return (
    <li className={open ? 'view-row open' : 'view-row'} data-view={view.id}>
      {renaming ? (
        <NameField label={`New name of the view ${view.name}`} value={view.name} save={(name) => renameView(view.id, name)} onClose={close} />
      ) : (
        <>
          <button type="button" className="view-name" ref={row} aria-current={open || undefined} title={`${view.name}, ${words}`} data-testid={`view-${view.name}`} onClick={show}>
            <span className="outline-name">{view.name}</span>
            <span className="visually-hidden">, </span>
            <span className="view-count" aria-label={words}>
              {tables.toLocaleString('en')}
            </span>
          </button>
          <button type="button" className="outline-tool" aria-label={`Rename the view ${view.name}`} title="Rename" data-testid="rename-view" onClick={() => setRenaming(true)}>
            <Icon name="edit" />
          </button>
          <button type="button" className="outline-tool" aria-label={`Remove the view ${view.name}`} title="Remove" data-testid="remove-view" onClick={() => void removeView(view)}>
            <Icon name="trash" />
          </button>
        </>
      )}
    </li>
  )
}
