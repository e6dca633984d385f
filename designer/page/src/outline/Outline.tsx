import { useDeferredValue, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { filtered, isFiltered } from '../canvas/filter'
import '../panels/lib/panels.css'
import { plural } from '../panels/lib/text'
import { makeRoom, openOutline, openPanel, outlineKeys } from '../store/actions'
import { store, useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { useNarrow } from '../ui/narrow'
import { keysOf } from '../ui/shortcuts'
import { Resizer } from '../ui/Resizer'
import './outline.css'
import { entriesOf, rowsOf } from './rows'
import { Tree } from './Tree'
import { Types } from './Types'
import { useChanges } from './useChanges'
import { useSize } from './useSize'
import { Views } from './Views'

// Outline lists the tables of a design beside the canvas, by schema: to find
// one, to see which differ from the database, and to choose what the canvas
// shows. On a phone it is a sheet, which goes once a table was chosen.
export default function Outline() {
  const size = useSize()
  const narrow = useNarrow()
  const search = useRef<HTMLInputElement>(null)
  const tree = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [changed, setChanged] = useState(false)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const design = useStore((s) => s.design)
  const filter = useStore((s) => s.filter)
  const changes = useChanges()
  const wanted = useDeferredValue(text)
  const entries = useMemo(() => (design ? entriesOf(design, changes) : []), [design, changes])
  const only = changed && changes.length > 0
  const { rows, found } = useMemo(() => rowsOf(entries, { text: wanted, changed: only, closed }), [entries, wanted, only, closed])
  const shown = useMemo(() => (design && isFiltered(design, filter) ? new Set(filtered(design, filter).map((t) => t.id)) : null), [design, filter])
  const total = plural(entries.length, 'table')
  useRoom(narrow)
  useEffect(() => {
    // A keyboard on the screen would cover what was opened.
    const to = matchMedia('(pointer: coarse)').matches ? tree : search
    if (!store.get().naming && document.activeElement?.getAttribute('aria-controls') === 'outline') to.current?.focus({ preventScroll: true })
  }, [])
  const toggle = (schema: string, open: boolean): void => {
    const next = new Set(closed)
    if (open) next.delete(schema)
    else next.add(schema)
    setClosed(next)
  }
  const show = (): void => {
    if (narrow) openOutline(false)
  }
  return (
    <nav className="outline" id="outline" style={{ width: size.size }} aria-label="Outline" data-testid="outline" onKeyDown={closeByKey}>
      <Resizer of={size} edge="right" label="Size of the outline" testId="resize-outline" />
      <header className="outline-head">
        <h2>Tables</h2>
        {changes.length > 0 && (
          <button type="button" className={only ? 'button small outline-changed on' : 'button small outline-changed'} aria-pressed={only} data-testid="outline-changed" onClick={() => setChanged(!only)}>
            Changed {changes.length.toLocaleString('en')}
          </button>
        )}
        <button type="button" className="icon-button" aria-label="Close the outline" data-testid="close-outline" onClick={() => openOutline(false)}>
          <Icon name="close" />
        </button>
      </header>
      <div className="outline-search">
        <input
          type="search"
          ref={search}
          aria-label="Search the outline"
          placeholder="Table or column"
          autoComplete="off"
          spellCheck={false}
          data-testid="outline-search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter') tree.current?.focus({ preventScroll: true })
            else if (event.key === 'Escape' && text !== '') setText('')
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </div>
      <p className="outline-found" role="status" data-testid="outline-found">
        {text.trim() || only ? `${found.toLocaleString('en')} of ${total}` : total}
      </p>
      <Tree rows={rows} shown={shown} tree={tree} onOpen={toggle} onShow={show} onType={() => search.current?.focus()} />
      <Types />
      <Views onShow={show} />
    </nav>
  )
}

// closeByKey closes the outline by the keys that open it, also while something
// is typed in its field.
function closeByKey(event: KeyboardEvent): void {
  if (keysOf(event.nativeEvent) !== outlineKeys) return
  event.preventDefault()
  openOutline(false)
}

// useRoom leaves the room to what is opened after the outline where there is
// not enough for both.
function useRoom(narrow: boolean): void {
  const panel = useStore((s) => s.panel)
  const form = useStore((s) => s.form)
  const before = useRef({ panel, form })
  useEffect(() => {
    const was = before.current
    before.current = { panel, form }
    const opened = (panel !== null && panel !== was.panel) || (narrow && form !== null && form !== was.form)
    if (opened && innerWidth < 1000) makeRoom()
  }, [panel, form, narrow])
  useEffect(() => {
    if (innerWidth < 1000) openPanel(null)
  }, [])
}
