import { useStore, type ReactFlowState } from '@xyflow/react'
import { useDeferredValue, useMemo } from 'react'
import type { Rect } from './geometry'
import { detailAt, type Detail } from './lod'

// The part of the canvas that is drawn: what is in view and a margin, in
// whole blocks, so that panning renders only when a border is crossed.

export interface Region extends Rect {
  detail: Detail
}

// useRegion follows the view when there is time for it: what comes into view
// must not hold up the movement that brings it there.
export function useRegion(): Region {
  const text = useDeferredValue(useStore(regionOf))
  return useMemo(() => {
    const [x = 0, y = 0, width = 0, height = 0, detail = 'full'] = text.split(' ')
    return { x: Number(x), y: Number(y), width: Number(width), height: Number(height), detail: detail as Detail }
  }, [text])
}

function regionOf({ transform: [tx, ty, zoom], width, height }: ReactFlowState): string {
  return region(-tx / zoom, -ty / zoom, (width || 1280) / zoom, (height || 800) / zoom, detailAt(zoom))
}

// region writes the region as text, which is compared by value.
export function region(left: number, top: number, width: number, height: number, detail: Detail): string {
  const block = 2 ** Math.round(Math.log2(Math.max(width, height) / 6))
  const margin = block / 2
  const x0 = Math.floor((left - margin) / block) * block
  const y0 = Math.floor((top - margin) / block) * block
  const x1 = Math.ceil((left + width + margin) / block) * block
  const y1 = Math.ceil((top + height + margin) / block) * block
  return `${x0} ${y0} ${x1 - x0} ${y1 - y0} ${detail}`
}
