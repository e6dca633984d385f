import { useReactFlow, useStoreApi } from '@xyflow/react'
import type { PointerEvent } from 'react'
import type { Table } from '../api/types'
import { select } from '../store/actions'
import { showForm } from '../ui/showForm'
import { store } from '../store/state'
import { tableAt, under } from './far'
import { overlaps, rectsOf } from './geometry'
import { placesOf } from './spread'

// useFar finds the tables that are painted when the pointer is about them:
// the one below it becomes an element, which takes clicks and drags itself.
export function useFar(shown: readonly Table[], painted: boolean) {
  const flow = useReactFlow()
  const inner = useStoreApi()
  const at = (x: number, y: number) => tableAt(shown, placesOf(store.get()), flow.screenToFlowPosition({ x, y }))
  return {
    point: (event: PointerEvent): void => {
      if (!painted) under.set({ id: null })
      else if (event.buttons === 0) under.set({ id: at(event.clientX, event.clientY) })
    },
    // A finger does not hover: its tap arrives at the pane.
    click: (event: { clientX: number; clientY: number }): void => {
      store.set({ selectedKey: null, chosenItem: null })
      const id = painted ? at(event.clientX, event.clientY) : null
      if (id !== null) setTimeout(() => select([id])) // after the pane has unselected
    },
    // Twice on nothing makes a table there.
    clickTwice: (event: { target: EventTarget; clientX: number; clientY: number }): void => {
      const { clientX: x, clientY: y } = event
      if (!(event.target instanceof Element) || !event.target.classList.contains('react-flow__pane')) return
      const id = painted ? at(x, y) : null
      if (id === null) showForm({ kind: 'table', table: null, at: flow.screenToFlowPosition({ x, y }) })
      else showForm({ kind: 'table', table: id })
    },
    selectArea: (): void => {
      const { userSelectionRect: area, transform } = inner.getState()
      if (!painted || !area) return
      const [x, y, zoom] = transform
      const rect = { x: (area.x - x) / zoom, y: (area.y - y) / zoom, width: area.width / zoom, height: area.height / zoom }
      const ids = rectsOf(shown, placesOf(store.get())).flatMap((r) => (overlaps(r, rect) ? [r.id] : []))
      setTimeout(() => select(ids))
    },
  }
}
