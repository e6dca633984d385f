import type { KeyboardEvent } from 'react'
import type { Id, Position, Table } from '../api/types'
import { select } from '../store/actions'
import { showForm } from '../ui/showForm'
import { store } from '../store/state'
import { filtered } from './filter'
import { sizeOf } from './geometry'
import { askToDrop } from './removing'
import { focusTable } from './view'
import { moveTables } from './moving'
import { placesOf } from './spread'

// Keys on a table that has the focus: arrows go to the nearest table in their
// direction, with Ctrl or Cmd they take it into the selection, with Shift they
// move what is selected; Enter edits, F2 renames, Delete drops. Alt+Down leads to
// its columns, which have keys of their own.

const nudge = 24 // px of the canvas: one step of its dots

const directions: Record<string, [x: number, y: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

export function tableKey(event: KeyboardEvent<HTMLElement>, table: Table): void {
  const { target, currentTarget: card } = event
  if (event.altKey && event.key === 'ArrowDown' && target === card) {
    event.preventDefault()
    void import('./columnKeys').then((m) => m.toColumn(card, 0))
  } else if (target instanceof HTMLElement && target.dataset['column'] !== undefined) onColumn(event, target)
  if (target !== card || event.altKey) return
  const direction = directions[event.key]
  const extend = event.ctrlKey || event.metaKey
  if (direction && event.shiftKey && !extend) moveBy(table.id, direction)
  else if (direction && !event.shiftKey) goTo(nearest(table.id, direction), extend)
  else if (extend) return
  else if (event.key === 'Enter') showForm({ kind: 'table', table: table.id })
  else if (event.key === 'F2') store.set({ renaming: { table: table.id, column: null } })
  else if (event.key === 'Delete' || event.key === 'Backspace') askToDrop(meant(table.id))
  else return
  event.preventDefault()
}

const ofColumns = /^(Arrow(Up|Down)|Escape|Enter|F2|Home|End|Delete|Backspace)$/

function onColumn(event: KeyboardEvent, row: HTMLElement): void {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event
  if (ctrlKey || metaKey || shiftKey || !ofColumns.test(key)) return
  event.preventDefault()
  void import('./columnKeys').then((m) => m.columnKey(altKey && key === 'ArrowUp' ? 'Escape' : key, row))
}

// meant is what a key on a table is for: what is selected, or that table alone
// when it is not among it.
function meant(focused: Id): Id[] {
  const { selected } = store.get()
  return selected.has(focused) ? [...selected] : [focused]
}

function goTo(next: Id | undefined, extend: boolean): void {
  if (next === undefined) return
  if (extend) select([...store.get().selected, next])
  focusTable(next)
}

function moveBy(focused: Id, [dx, dy]: [number, number]): void {
  const positions = placesOf(store.get())
  const moved: Record<Id, Position> = {}
  for (const id of meant(focused)) {
    const at = positions[id]
    if (at) moved[id] = { x: at.x + dx * nudge, y: at.y + dy * nudge }
  }
  moveTables(moved)
}

// nearest is the table whose middle is nearest in a direction; what is off to
// the side counts as further away.
export function nearest(from: Id, [dx, dy]: [number, number]): Id | undefined {
  const { design, filter } = store.get()
  const positions = placesOf(store.get())
  const start = design && middle(design.tables.get(from), positions[from])
  if (!design || !start) return undefined
  let best: { id: Id; cost: number } | undefined
  for (const table of filtered(design, filter)) {
    const at = middle(table, positions[table.id])
    if (!at || table.id === from) continue
    const ahead = (at.x - start.x) * dx + (at.y - start.y) * dy
    const aside = Math.abs((at.x - start.x) * dy) + Math.abs((at.y - start.y) * dx)
    if (ahead <= 0 || aside > ahead * 2.5) continue
    const cost = ahead + aside * 2
    if (!best || cost < best.cost) best = { id: table.id, cost }
  }
  return best?.id
}

function middle(table: Table | undefined, at: { x: number; y: number } | undefined): { x: number; y: number } | null {
  if (!table || !at) return null
  const size = sizeOf(table, at)
  return { x: at.x + size.width / 2, y: at.y + size.height / 2 }
}
