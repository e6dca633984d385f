import { useDeferredValue, useId, useMemo, useState } from 'react'
import type { Id } from '../api/types'
import { titleOf, type Design } from '../store/design'
import { store, useStore } from '../store/state'
import { Icon } from '../ui/Icon'
import { reveal } from './view'

interface Hit {
  table: Id
  title: string
  column: string
}

const most = 30

// SearchBox finds tables and columns by a part of their names.
export function SearchBox() {
  const design = useStore((s) => s.design)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const wanted = useDeferredValue(text)
  const hits = useMemo(() => (design ? search(design, wanted) : []), [design, wanted])
  const close = (): void => store.set({ searching: false })
  const go = (hit: Hit | undefined): void => {
    if (!hit) return
    close()
    reveal([hit.table])
  }
  // The list lags behind fast typing; Enter goes to what was typed.
  const chosen = (): Hit | undefined => (design && wanted !== text ? search(design, text)[0] : hits[at])
  return (
    <div className="search" role="search">
      <div className="search-field">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label="Search tables and columns"
          aria-expanded={hits.length > 0}
          aria-controls={list}
          aria-activedescendant={hits[at] ? `${list}-${at}` : undefined}
          placeholder="Table or column"
          autoFocus
          autoComplete="off"
          spellCheck={false}
          data-testid="search-input"
          value={text}
          onBlur={close}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt(Math.min(at + 1, hits.length - 1))
            else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
            else if (event.key === 'Enter') go(chosen())
            else if (event.key === 'Escape') close()
            else return
            event.preventDefault()
          }}
        />
      </div>
      <ul role="listbox" id={list} aria-label="Found">
        {hits.map((hit, i) => (
          <li
            key={`${hit.table} ${hit.column}`}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === at}
            data-testid="search-hit"
            onMouseDown={(event) => {
              event.preventDefault()
              go(hit)
            }}
          >
            <strong>{hit.title}</strong>
            {hit.column && <span>{hit.column}</span>}
          </li>
        ))}
      </ul>
      {wanted.trim() !== '' && hits.length === 0 && <p className="hint">Nothing is called like that.</p>}
    </div>
  )
}

// search lists tables first, exact and leading matches before the others.
export function search(design: Design, text: string): Hit[] {
  const wanted = text.trim().toLowerCase()
  const found: { hit: Hit; rank: number }[] = []
  for (const table of design.tables.values()) {
    const title = titleOf(design, table)
    const rank = rankOf(table.name, wanted) ?? rankOf(title, wanted)
    if (rank !== null) found.push({ hit: { table: table.id, title, column: '' }, rank })
    if (wanted === '') continue
    for (const column of table.columns) {
      const columnRank = rankOf(column.name, wanted)
      if (columnRank !== null) found.push({ hit: { table: table.id, title, column: column.name }, rank: columnRank + 10 })
    }
  }
  found.sort((a, b) => a.rank - b.rank || a.hit.title.localeCompare(b.hit.title))
  return found.slice(0, most).map((f) => f.hit)
}

function rankOf(name: string, wanted: string): number | null {
  const at = name.toLowerCase().indexOf(wanted)
  if (at < 0) return null
  return at > 0 ? 2 : name.length === wanted.length ? 0 : 1
}
