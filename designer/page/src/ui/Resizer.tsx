import type { PointerEvent } from 'react'
import type { Docked } from './dock'

// Resizer is the edge of the editor towards the canvas, dragged or moved by
// the arrows.
export function Resizer({ dock }: { dock: Docked }) {
  const below = dock.place === 'below'
  const start = (event: PointerEvent<HTMLElement>): void => {
    const from = below ? event.clientY : event.clientX
    const { size } = dock
    const edge = event.currentTarget
    edge.setPointerCapture(event.pointerId)
    const moved = (e: globalThis.PointerEvent): void => dock.resize(size + from - (below ? e.clientY : e.clientX))
    const ended = (): void => {
      edge.removeEventListener('pointermove', moved)
      edge.removeEventListener('lostpointercapture', ended)
    }
    edge.addEventListener('pointermove', moved)
    edge.addEventListener('lostpointercapture', ended)
  }
  return (
    <div
      className="resizer"
      role="separator"
      tabIndex={0}
      aria-label="Size of the editor"
      aria-orientation={below ? 'horizontal' : 'vertical'}
      aria-valuenow={dock.size}
      aria-valuemin={dock.least}
      aria-valuemax={dock.most}
      data-testid="resize-editor"
      onPointerDown={start}
      onKeyDown={(event) => {
        const by = { [below ? 'ArrowUp' : 'ArrowLeft']: 24, [below ? 'ArrowDown' : 'ArrowRight']: -24 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        dock.resize(dock.size + by)
      }}
    />
  )
}
