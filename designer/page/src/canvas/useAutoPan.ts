import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'

// useAutoPan lets the canvas follow a drag beyond its edge while something is
// pressed, and never longer. React Flow itself ends that with the drag, but not
// when the table that is dragged was dropped meanwhile: its canvas moves on for
// ever.
export function useAutoPan(): void {
  const inner = useStoreApi()
  useEffect(() => {
    const follow = ({ type }: PointerEvent) => inner.setState({ autoPanOnNodeDrag: type === 'pointerdown' })
    const types = ['pointerdown', 'pointerup', 'pointercancel'] as const
    for (const type of types) addEventListener(type, follow, true)
    return () => types.forEach((type) => removeEventListener(type, follow, true))
  }, [inner])
}
