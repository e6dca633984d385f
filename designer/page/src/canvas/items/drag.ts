import { useReactFlow } from '@xyflow/react'
import type { PointerEvent } from 'react'
import { begin, chooseItem } from './changing'
import type { Side } from './items'

const slack = 3 // pixels that a press may move and be none

// useDrag makes an element drag an item, or one of its borders.
export function useDrag(id: string, side: Side | null): { onPointerDown: (event: PointerEvent<HTMLElement>) => void } {
  const flow = useReactFlow()
  return {
    onPointerDown: (event) => {
      if (event.button !== 0 || !event.isPrimary) return
      chooseItem(id)
      const { currentTarget: element, pointerId, clientX, clientY } = event
      const zoom = flow.getZoom()
      const to = begin(id, side)
      let [dx, dy, moved] = [0, 0, false]
      const move = (e: globalThis.PointerEvent): void => {
        ;[dx, dy] = [e.clientX - clientX, e.clientY - clientY]
        moved ||= Math.abs(dx) > slack || Math.abs(dy) > slack
        if (moved) to(dx / zoom, dy / zoom, true)
      }
      const end = (): void => {
        element.removeEventListener('pointermove', move)
        for (const kind of ['pointerup', 'pointercancel']) element.removeEventListener(kind, end)
        if (moved) to(dx / zoom, dy / zoom, false)
      }
      element.setPointerCapture(pointerId)
      element.addEventListener('pointermove', move)
      for (const kind of ['pointerup', 'pointercancel']) element.addEventListener(kind, end)
    },
  }
}
