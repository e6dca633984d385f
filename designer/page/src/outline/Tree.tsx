import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Id } from '../api/types'
import { showNear } from '../canvas/showing'
import { reveal } from '../canvas/view'
import { openPanel } from '../store/actions'
import { useStore } from '../store/state'
import { useNarrow } from '../ui/narrow'
import { stepOf } from './keys'
import type { Row } from './rows'
import { RowTools } from './RowTools'
import { RowView } from './RowView'
import { useWindow } from './useWindow'

interface TreeProps {
  rows: readonly Row[]
  shown: ReadonlySet<Id> | null // on the canvas; null: all are
  tree: RefObject<HTMLDivElement | null>
  onOpen: (schema: string, open: boolean) => void
  onShow: () => void // the canvas shows what was asked for
  onType: () => void // a letter was pressed, which is meant to be searched for
}

// Tree lists the rows. It has the keyboard's focus as a whole, with one row that
// its keys are for, so that rows out of sight need not be there. What can be
// done with a row stands over it, since a tree holds no buttons.
export function Tree({ rows, shown, tree, onOpen, onShow, onType }: TreeProps) {
  const id = useId()
  const narrow = useNarrow()
  const scroller = useRef<HTMLDivElement>(null)
  const height = narrow ? 44 : 28
  const { first, last, page, bring } = useWindow(scroller, rows.length, height)
  const [active, setActive] = useActive(rows, bring)
  const [pointed, setPointed] = useState('') // the row below the pointer
  const press = (row: Row): void => {
    setActive(row.key)
    if (row.kind === 'schema') onOpen(row.name, !row.open)
    else if (!row.entry.table) openPanel('changes')
    else {
      reveal([row.entry.table.id])
      onShow()
    }
  }
  const near = (table: Id): void => {
    showNear(table)
    onShow()
  }
  const down = (event: KeyboardEvent): void => {
    const row = rows[active]
    const pressed = event.key === 'Enter' || event.key === ' '
    const step = stepOf(event.key, rows, active, page)
    if (event.key === 'Delete' || event.key === 'Backspace') event.stopPropagation() // they would drop what is selected
    else if (event.altKey || event.ctrlKey || event.metaKey) return
    else if (step && 'to' in step) {
      setActive(rows[step.to]?.key ?? '')
      bring(step.to)
    } else if (step) onOpen(step.schema, step.open)
    else if (pressed && row) press(row)
    else if (event.key.length === 1) {
      event.stopPropagation()
      onType() // where the letter is written then
      return
    } else return
    event.preventDefault()
  }
  const isOff = (row: Row): boolean => row.kind === 'table' && row.entry.table !== null && shown !== null && !shown.has(row.key)
  const hasTools = (row: Row, at: number): boolean => row.kind === 'table' && row.entry.table !== null && (narrow || at === active || row.key === pointed)
  const seen = rows.slice(first, last).map((row, i) => ({ row, at: first + i, top: (first + i) * height, off: isOff(row) }))
  return (
    <div
      className="outline-scroll"
      ref={scroller}
      onPointerOver={({ target }) => setPointed(target instanceof Element ? (target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? '') : '')}
      onPointerLeave={() => setPointed('')}
    >
      <div className="outline-rows" style={{ height: rows.length * height }}>
        <div
          className="outline-tree"
          role="tree"
          aria-label="Tables by schema"
          aria-multiselectable="true"
          aria-activedescendant={rows[active] ? `${id}-${active}` : undefined}
          tabIndex={0}
          ref={tree}
          data-testid="outline-tree"
          onKeyDown={down}
          onFocus={() => bring(active)}
        >
          {seen.map(({ row, at, top, off }) => (
            <RowView key={row.key} id={`${id}-${at}`} row={row} top={top} active={at === active} tools={hasTools(row, at)} off={off} onPress={press} />
          ))}
        </div>
        {seen.map(({ row, at, top, off }) => row.kind === 'table' && hasTools(row, at) && <RowTools key={row.key} row={row} top={top} off={off} active={at === active} onNear={near} />)}
      </div>
    </div>
  )
}

// useActive is the row that the keys are for: the one that was last, or the one
// of the table that has just been selected on the canvas.
function useActive(rows: readonly Row[], bring: (index: number) => void): [at: number, set: (key: string) => void] {
  const [key, setKey] = useState('')
  const only = useStore((s) => (s.selected.size === 1 ? [...s.selected][0] : undefined))
  const latest = useRef({ rows, bring })
  useLayoutEffect(() => {
    latest.current = { rows, bring }
  })
  useEffect(() => {
    const index = latest.current.rows.findIndex((r) => r.key === only)
    if (only === undefined || index < 0) return
    setKey(only)
    latest.current.bring(index)
  }, [only])
  return [Math.max(0, rows.findIndex((r) => r.key === key)), setKey]
}
