import { memo, type KeyboardEvent, type ReactNode } from 'react'
import type { Item } from '../../api/items'
import { store, useStore } from '../../store/state'
import { chooseItem, remove, shift, stretch } from './changing'
import { useDrag } from './drag'
import { within, wordsOf, type Side } from './items'
import { Text } from './Text'

const nudge = 24 // px of the canvas, as for tables

const arrows: Record<string, [x: number, y: number]> = { ArrowRight: [nudge, 0], ArrowLeft: [-nudge, 0], ArrowDown: [0, nudge], ArrowUp: [0, -nudge] }

// itemKey: Shift and an arrow move, with Ctrl or Cmd they resize; Enter and F2
// edit the text, Delete removes.
function itemKey(event: KeyboardEvent<HTMLElement>, id: string): void {
  if (event.target !== event.currentTarget || event.altKey) return
  const arrow = arrows[event.key]
  if (arrow && event.shiftKey && (event.ctrlKey || event.metaKey)) stretch(id, ...arrow)
  else if (arrow && event.shiftKey) shift(id, ...arrow)
  else if (event.key === 'Enter' || event.key === 'F2') store.set({ writing: id })
  else if (event.key === 'Delete' || event.key === 'Backspace') remove(id)
  else return
  event.preventDefault()
  event.stopPropagation()
}

// ItemView is one area or note. Of an area only the title takes the pointer:
// the rest of it lets presses through to the canvas.
export const ItemView = memo(function ItemView({ id, item }: { id: string; item: Item }) {
  const chosen = useStore((s) => s.chosenItem === id)
  const writing = useStore((s) => s.writing === id)
  const drag = useDrag(id, null)
  const { x, y, width, height, kind, colour } = item
  const classes = ['item', kind, `paint-${colour}`, chosen && 'chosen', writing && 'writing'].filter(Boolean).join(' ')
  const grip = writing ? {} : drag
  return (
    <div
      className={classes}
      style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
      role="group"
      tabIndex={0}
      aria-label={label(id, item)}
      data-item={id}
      data-testid={kind === 'area' ? `area-${item.text}` : 'note-card'}
      onKeyDown={(event) => itemKey(event, id)}
      onFocus={(event) => event.target === event.currentTarget && event.currentTarget.matches(':focus-visible') && chooseItem(id)}
    >
      <Grip area={kind === 'area'} {...grip} onDoubleClick={() => store.set({ writing: id })}>
        {writing ? <Text id={id} item={item} /> : <span className="item-text">{item.text || (kind === 'note' && <i>Empty note</i>)}</span>}
      </Grip>
      {chosen && !writing && sides.map((side) => <Handle key={side.join()} id={id} side={side} />)}
    </div>
  )
})

function label(id: string, item: Item): string {
  if (item.kind === 'note') return `Note: ${item.text || 'empty'}`
  const n = within(store.get(), id).tables.length
  return `${wordsOf(item)}, ${n === 1 ? '1 table' : `${n} tables`}`
}

interface GripProps {
  area: boolean
  children: ReactNode
  onDoubleClick: () => void
}

function Grip({ area, children, ...rest }: GripProps) {
  return (
    <div className={area ? 'item-title nopan nodrag' : 'item-body nopan nodrag'} data-testid={area ? 'area-title' : 'note-body'} {...rest}>
      {children}
    </div>
  )
}

const sides: readonly Side[] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]]

// Handle moves one border or corner. Keys do it without.
function Handle({ id, side: [x, y] }: { id: string; side: Side }) {
  const drag = useDrag(id, [x, y])
  const cursor = x === 0 ? 'ns-resize' : y === 0 ? 'ew-resize' : x === y ? 'nwse-resize' : 'nesw-resize'
  return <span className="item-handle nopan nodrag" style={{ left: `${50 + 50 * x}%`, top: `${50 + 50 * y}%`, cursor }} aria-hidden="true" data-testid={`item-handle-${x}-${y}`} {...drag} />
}
