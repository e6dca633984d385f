import { useReactFlow, useStore as useFlowStore } from '@xyflow/react'
import { useEffect, useMemo, useRef, type PointerEvent } from 'react'
import type { Table } from '../api/types'
import { useStore } from '../store/state'
import { bounds, rectsOf, type Rect } from './geometry'
import { itemsOf } from './items/items'
import { useScheme } from './scheme'
import { placesOf } from './spread'

const width = 180
const height = 120

// MiniMap shows where in the whole one is, and goes where it is pressed. It
// is drawn once per change of the design, not per movement. While all of the
// design is in view it is out of the way.
export function MiniMap({ shown }: { shown: readonly Table[] }) {
  const positions = useStore(placesOf)
  const theme = useScheme()
  const marks = useStore((s) => s.marks)
  const canvas = useRef<HTMLCanvasElement>(null)
  const items = useStore(itemsOf)
  const map = useMemo(() => mapOf(bounds([...rectsOf(shown, positions), ...Object.values(items)])), [shown, positions, items])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !map) return
    const style = getComputedStyle(document.documentElement)
    const ratio = devicePixelRatio || 1
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    for (const table of shown) {
      const [rect] = rectsOf([table], positions)
      if (!rect) continue
      context.fillStyle = style.getPropertyValue(marks.has(table.id) ? '--agent' : '--text-3')
      context.fillRect(map.x(rect.x), map.y(rect.y), Math.max(1.5, rect.width * map.scale), Math.max(1.5, rect.height * map.scale))
    }
  }, [map, shown, positions, marks, theme])
  if (!map || shown.length < 2) return null
  const ratio = devicePixelRatio || 1
  return (
    <div className="minimap" data-testid="minimap">
      <canvas ref={canvas} width={width * ratio} height={height * ratio} aria-hidden="true" />
      <Window map={map} />
    </div>
  )
}

interface MiniView {
  scale: number
  x: (x: number) => number
  y: (y: number) => number
  all: Rect
  worldX: (x: number) => number
  worldY: (y: number) => number
}

function mapOf(all: Rect | null): MiniView | null {
  if (!all) return null
  const scale = Math.min((width - 12) / all.width, (height - 12) / all.height)
  const left = (width - all.width * scale) / 2
  const top = (height - all.height * scale) / 2
  return {
    scale,
    all,
    x: (x) => left + (x - all.x) * scale,
    y: (y) => top + (y - all.y) * scale,
    worldX: (x) => (x - left) / scale + all.x,
    worldY: (y) => (y - top) / scale + all.y,
  }
}

// Window is the frame round what is in view, with a veil over the rest; it
// alone follows each movement.
function Window({ map }: { map: MiniView }) {
  const flow = useReactFlow()
  const [x, y, zoom] = useFlowStore((s) => s.transform)
  const [w = 0, h = 0] = useFlowStore((s) => `${s.width} ${s.height}`).split(' ').map(Number)
  const go = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.buttons === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    void flow.setCenter(map.worldX(event.clientX - box.left), map.worldY(event.clientY - box.top), { zoom })
  }
  const { all } = map
  const needless = -x / zoom <= all.x && -y / zoom <= all.y && (w - x) / zoom >= all.x + all.width && (h - y) / zoom >= all.y + all.height
  const [left, top, right, bottom] = [map.x(-x / zoom), map.y(-y / zoom), map.x((w - x) / zoom), map.y((h - y) / zoom)]
  const frame = `M${left} ${top}H${right}V${bottom}H${left}Z`
  return (
    <svg className={needless ? 'needless' : undefined} width={width} height={height} onPointerDown={go} onPointerMove={go} aria-label="Overview: press to go there" role="img">
      <path className="veil" fillRule="evenodd" d={`M0 0H${width}V${height}H0Z${frame}`} />
      <path className="frame" d={frame} />
    </svg>
  )
}
