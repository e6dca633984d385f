import { useStore as useFlowStore } from '@xyflow/react'
import { useLayoutEffect, type RefObject } from 'react'
import { detailAt } from './lod'

// Scale tells the style sheet how much of the canvas makes a pixel of the
// screen, as --px, in steps of a tenth: outlines and names of tables seen from
// farther away keep a size that can be read. Up close it is 1.
export function Scale({ stage }: { stage: RefObject<HTMLElement | null> }) {
  const px = useFlowStore((s) => pixelAt(s.transform[2]))
  useLayoutEffect(() => stage.current?.style.setProperty('--px', String(px)), [px, stage])
  return null
}

export function pixelAt(zoom: number): number {
  return detailAt(zoom) === 'full' ? 1 : 2 ** (Math.round(-Math.log2(zoom) * 8) / 8)
}
