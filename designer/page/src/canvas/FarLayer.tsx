import { useStore as useFlowStore } from '@xyflow/react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Table } from '../api/types'
import { useStore } from '../store/state'
import { between, web } from './EdgeLayer'
import { coloursOf, paint, sceneOf } from './far'

// FarLayer paints the tables and their relations on one canvas. It renders
// with each movement, and does nothing else then.
export function FarLayer({ shown }: { shown: readonly Table[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [x, y, zoom] = useFlowStore((s) => s.transform)
  const width = useFlowStore((s) => s.width)
  const height = useFlowStore((s) => s.height)
  const design = useStore((s) => s.design)
  const positions = useStore((s) => s.positions)
  const marks = useStore((s) => s.marks)
  const theme = useStore((s) => s.theme)
  const scene = useMemo(() => design && sceneOf(design, shown, positions, marks), [design, shown, positions, marks])
  const lines = useMemo(() => new Path2D(design ? web(between(shown), design, positions) : ''), [design, shown, positions])
  // eslint-disable-next-line react-hooks/exhaustive-deps -- read again when the theme changes
  const colours = useMemo(() => coloursOf(document.documentElement), [theme])
  const ratio = Math.min(devicePixelRatio || 1, 2)
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context && scene) paint(context, scene, lines, { x, y, zoom, width, height, ratio }, colours)
  }, [scene, lines, x, y, zoom, width, height, ratio, colours])
  return <canvas ref={canvas} className="far-layer" width={width * ratio} height={height * ratio} aria-hidden="true" data-testid="far-layer" />
}
