import type { PointerEvent } from 'react'
import './resizer.css'

export interface Sized {
  size: number // px
  least: number
  most: number
  resize: (size: number) => void
}

interface ResizerProps {
  of: Sized
  edge: 'top' | 'left' | 'right' // towards the canvas
  label: string
  testId: string
}

// Resizer is the edge towards the canvas of what is beside it, dragged or moved
// by the arrows.
export function Resizer({ of, edge, label, testId }: ResizerProps) {
  const top = edge === 'top'
  const [more, less] = { top: ['ArrowUp', 'ArrowDown'], left: ['ArrowLeft', 'ArrowRight'], right: ['ArrowRight', 'ArrowLeft'] }[edge]
  const start = (event: PointerEvent<HTMLElement>): void => {
    const from = top ? event.clientY : event.clientX
    const { size } = of
    const bar = event.currentTarget
    bar.setPointerCapture(event.pointerId)
    const moved = (e: globalThis.PointerEvent): void => of.resize(size + (from - (top ? e.clientY : e.clientX)) * (edge === 'right' ? -1 : 1))
    const ended = (): void => {
      bar.removeEventListener('pointermove', moved)
      bar.removeEventListener('lostpointercapture', ended)
    }
    bar.addEventListener('pointermove', moved)
    bar.addEventListener('lostpointercapture', ended)
  }
  return (
    <div
      className={`resizer ${edge}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={top ? 'horizontal' : 'vertical'}
      aria-valuenow={of.size}
      aria-valuemin={of.least}
      aria-valuemax={of.most}
      data-testid={testId}
      onPointerDown={start}
      onKeyDown={(event) => {
        const by = event.key === more ? 24 : event.key === less ? -24 : 0
        if (by === 0) return
        event.preventDefault()
        of.resize(of.size + by)
      }}
    />
  )
}
