import { useSelector } from '../store/store'
import { dragging } from './connect'

// ConnectLine follows the pointer while a relation is dragged.
export function ConnectLine() {
  const drag = useSelector(dragging, (s) => s.drag)
  if (!drag) return null
  const { from, to, over } = drag
  return (
    <svg className={over ? 'connect-line over' : 'connect-line'} aria-hidden="true">
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      <circle cx={to.x} cy={to.y} r="5" />
    </svg>
  )
}
