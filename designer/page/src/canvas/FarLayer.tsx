import { useStore as useFlowStore } from '@xyflow/react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Table } from '../api/types'
import { useStore } from '../store/state'
import { between, web } from './EdgeLayer'
import { coloursOf, paint, sceneOf } from './far'
import { inLayers, itemsOf } from './items/items'
import { useScheme } from './scheme'
import { placesOf } from './spread'

const margin = 0.25 // of the stage, painted beyond each edge
const rest = 90 // milliseconds without movement, after which it is repainted

interface View {
  x: number
  y: number
  zoom: number
}

// FarLayer paints the tables and their relations on one canvas, a little more
// than is in view. While the view moves the picture is moved along, and
// painted again when it rests or what was painted no longer reaches.
export function FarLayer({ shown }: { shown: readonly Table[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painted = useRef<View>({ x: 0, y: 0, zoom: 1 })
  const [x, y, zoom] = useFlowStore((s) => s.transform)
  const width = useFlowStore((s) => s.width)
  const height = useFlowStore((s) => s.height)
  const design = useStore((s) => s.design)
  const positions = useStore(placesOf)
  const items = useStore(itemsOf)
  const areas = useMemo(() => inLayers(items).flatMap(([, item]) => (item.kind === 'area' ? [item] : [])), [items])
  const live = useStore((s) => s.marks)
  const reviewed = useStore((s) => s.reviewing.tables)
  const marks = useMemo(() => new Map<string, unknown>([...live, ...reviewed]), [live, reviewed])
  const theme = useScheme()
  const scene = useMemo(() => design && sceneOf(design, shown, positions, marks), [design, shown, positions, marks])
  const lines = useMemo(() => new Path2D(design ? web(between(shown), design, positions) : ''), [design, shown, positions])
  const ratio = Math.min(devicePixelRatio || 1, 2)
  const [left, top] = [width * margin, height * margin]
  const draw = (view: View): void => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context || !scene) return
    const size = { width: width + 2 * left, height: height + 2 * top, ratio }
    paint(context, scene, lines, { x: view.x + left, y: view.y + top, zoom: view.zoom, ...size }, coloursOf(element), areas)
    element.style.transform = ''
    painted.current = view
  }
  const latest = useRef(draw)
  useLayoutEffect(() => {
    latest.current = draw
  })
  useLayoutEffect(() => latest.current({ x, y, zoom }), [scene, lines, areas, width, height, ratio, theme]) // eslint-disable-line react-hooks/exhaustive-deps -- movement alone is the next effect's
  useLayoutEffect(() => {
    const was = painted.current
    const scale = zoom / was.zoom
    const [dx, dy] = [x - was.x * scale, y - was.y * scale] // of the stage's corner
    if (!canvas.current || (scale === 1 && dx === 0 && dy === 0)) return
    const reaches = dx - left * scale <= 0 && dy - top * scale <= 0 && dx + (width + left) * scale >= width && dy + (height + top) * scale >= height
    if (scale > 1.8 || !reaches) {
      latest.current({ x, y, zoom })
      return
    }
    canvas.current.style.transform = `translate(${dx + left - left * scale}px, ${dy + top - top * scale}px) scale(${scale})`
    const timer = setTimeout(() => latest.current({ x, y, zoom }), rest)
    return () => clearTimeout(timer)
  }, [x, y, zoom, left, top, width, height])
  const style = { left: -left, top: -top, width: width + 2 * left, height: height + 2 * top }
  return (
    <div className="far-layer" data-testid="far-layer">
      <canvas ref={canvas} width={Math.round(style.width * ratio)} height={Math.round(style.height * ratio)} style={style} aria-hidden="true" />
    </div>
  )
}
