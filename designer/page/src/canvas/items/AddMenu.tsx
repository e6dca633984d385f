import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useStore } from '../../store/state'
import { Icon, type IconName } from '../../ui/Icon'
import { showForm } from '../../ui/showForm'
import { addArea, addNote } from './changing'
import './items.css'

// Adding is where the menu is: at a point of the canvas, or above the button
// that opened it.
export interface Adding {
  left?: number // in pixels of the stage
  top?: number
  at?: { x: number; y: number } // on the canvas
}

// AddMenu offers what can be put on the canvas.
export default function AddMenu({ adding: { left, top, at }, onClose }: { adding: Adding; onClose: () => void }) {
  const menu = useRef<HTMLDivElement>(null)
  const keeps = useStore((s) => s.items !== null)
  const chosen = useStore((s) => s.selected.size)
  useEffect(() => {
    const before = document.activeElement
    menu.current?.querySelector('button')?.focus()
    const beside = ({ target }: PointerEvent): void => {
      if (target instanceof Element && !menu.current?.contains(target) && !target.closest('[data-testid=add-item]')) onClose()
    }
    addEventListener('pointerdown', beside, true)
    return () => {
      removeEventListener('pointerdown', beside, true)
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [onClose])
  const item = (icon: IconName, label: string, test: string, run: () => void) => (
    <button
      type="button"
      role="menuitem"
      className="add-choice"
      data-testid={test}
      onClick={() => {
        onClose()
        run()
      }}
    >
      <Icon name={icon} /> {label}
    </button>
  )
  return (
    <div className={left === undefined ? 'add-menu above' : 'add-menu'} style={{ left, top }} role="menu" aria-label="Add to the canvas" ref={menu} data-testid="add-menu" onKeyDown={(event) => menuKey(event, onClose)}>
      {item('table', 'New table', 'add-menu-table', () => showForm({ kind: 'table', table: null }))}
      {keeps && item('area', !at && chosen > 0 ? 'New area around what is selected' : 'New area', 'add-menu-area', () => addArea(at))}
      {keeps && item('note', 'New note', 'add-menu-note', () => addNote(at))}
    </div>
  )
}

function menuKey(event: KeyboardEvent<HTMLElement>, onClose: () => void): void {
  const all = [...event.currentTarget.querySelectorAll('button')]
  const now = all.findIndex((b) => b === document.activeElement)
  if (event.key === 'ArrowDown') all[(now + 1) % all.length]?.focus()
  else if (event.key === 'ArrowUp') all[(now - 1 + all.length) % all.length]?.focus()
  else if (event.key === 'Escape') {
    onClose()
  } else return
  event.preventDefault()
  event.stopPropagation()
}
