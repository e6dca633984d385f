import type { PointerEvent } from 'react'
import type { Column, Id, Table } from '../api/types'
import { showForm } from '../ui/showForm'
import { isKeyColumn } from '../store/design'
import { store } from '../store/state'
import { createStore } from '../store/store'

// Dragging from column to column. The form that opens asks before anything
// is made.

export interface Drag {
  table: Id
  column: Id
  from: { x: number; y: number } // on the screen
  to: { x: number; y: number }
  over: string // "table column" under the pointer, "": none
}

export const dragging = createStore<{ drag: Drag | null }>({ drag: null })

export function startConnecting(event: PointerEvent<HTMLElement>, table: Id, column: Id): void {
  if (event.button !== 0) return
  event.stopPropagation()
  event.preventDefault()
  const dot = event.currentTarget
  const box = dot.getBoundingClientRect()
  const from = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
  dot.setPointerCapture(event.pointerId)
  dragging.set({ drag: { table, column, from, to: from, over: '' } })
  const moved = (e: globalThis.PointerEvent): void => follow(e)
  const ended = (e: globalThis.PointerEvent): void => {
    dot.removeEventListener('pointermove', moved)
    dot.removeEventListener('pointerup', ended)
    dot.removeEventListener('pointercancel', ended)
    const { drag } = dragging.get()
    dragging.set({ drag: null })
    if (drag?.over && e.type === 'pointerup') relate(drag)
  }
  dot.addEventListener('pointermove', moved)
  dot.addEventListener('pointerup', ended)
  dot.addEventListener('pointercancel', ended)
}

function follow(e: globalThis.PointerEvent): void {
  const under = document.elementFromPoint(e.clientX, e.clientY)?.closest<HTMLElement>('[data-table]')
  const { table = '', column = '' } = under?.dataset ?? {}
  dragging.set(({ drag }) => ({ drag: drag && { ...drag, to: { x: e.clientX, y: e.clientY }, over: table && `${table} ${column}` } }))
}

function relate(drag: Drag): void {
  const { design } = store.get()
  const [targetId = '', targetColumn = ''] = drag.over.split(' ')
  const source = design?.tables.get(drag.table)
  const target = design?.tables.get(targetId)
  const column = source?.columns.find((c) => c.id === drag.column)
  const onto = target?.columns.find((c) => c.id === targetColumn) ?? keyOf(target)
  if (!source || !target || !column || !onto || column.id === onto.id) return
  const [child, own, parent, ref] = refersTo(source, column, target, onto) ? [source, column, target, onto] : [target, onto, source, column]
  showForm({ kind: 'relation', table: child.id, key: null, draft: { column: own.id, refTable: parent.id, refColumn: ref.id } })
}

function keyOf(table: Table | undefined): Column | undefined {
  return table?.columns.find((c) => c.id === table.primaryKey?.columns[0]) ?? table?.columns[0]
}

// refersTo guesses which of two columns refers to which: a key is what others
// refer to. The form can turn it round.
function refersTo(source: Table, column: Column, target: Table, onto: Column): boolean {
  return isKeyColumn(target, onto) || !isKeyColumn(source, column)
}
