import { useStore as useFlowStore } from '@xyflow/react'

const gap = 24

// Dots are the ground that the tables stand on. They lie on a layer of their
// own, which is painted once and then only shifted while the view moves: to
// paint them with everything else in each frame would cost more than it.
export function Dots() {
  const [x, y, zoom] = useFlowStore((s) => s.transform)
  const size = gap * zoom
  const shift = (to: number): number => (((to % size) + size) % size) - size
  return (
    <div
      className="dots"
      style={{ inset: `0 -${Math.ceil(size)}px -${Math.ceil(size)}px 0`, backgroundSize: `${size}px ${size}px`, transform: `translate(${shift(x)}px, ${shift(y)}px)` }}
    />
  )
}
