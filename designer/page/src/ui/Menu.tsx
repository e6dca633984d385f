import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import type { Choice } from './choice'
import { Icon } from './Icon'
import './menu.css'
import { placed, stepTo } from './menuKeys'
import { showKeys } from './shortcuts'
import { isOff } from './singleKeys'
import { useBeside } from './useBeside'

export interface Section {
  label: string
  choices: readonly Choice[]
}

interface MenuProps {
  title: string
  sections: readonly Section[]
  at: { x: number; y: number } // a corner of it, in the window
  above?: boolean // it opens upwards
  back: HTMLElement | SVGElement | null // has the focus before and after
  test: string
  onClose: () => void
}

// Menu has the keyboard while it is open: arrows, Home and End go through it,
// Escape and Tab leave it, and so does a press beside it. What is chosen is done
// once the focus is back, so that a dialog gives it back in turn.
export function Menu({ title, sections, at, above = false, back, test, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const element = menu.current
    if (!element) return
    const { left, top } = placed(at, element.getBoundingClientRect(), { width: innerWidth, height: innerHeight }, above)
    element.style.left = `${left}px`
    element.style.top = `${top}px`
    element.querySelector('button')?.focus({ preventScroll: true })
  }, []) // eslint-disable-line react-hooks/exhaustive-deps -- it stays where it opened
  useBeside(menu, back?.hasAttribute('aria-haspopup') ? back : null, onClose)
  useEffect(
    () => () => {
      if (document.activeElement === document.body) back?.focus({ preventScroll: true })
    },
    [back],
  )
  const leave = (): void => {
    back?.focus({ preventScroll: true })
    onClose()
  }
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    event.stopPropagation() // no key reaches what lies below
    const all = [...event.currentTarget.querySelectorAll('button')]
    const to = stepTo(event.key, all.findIndex((b) => b === document.activeElement), all.length)
    if (to !== null) all[to]?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') leave()
    else return
    event.preventDefault()
  }
  const parts = sections.filter((s) => s.choices.length > 0)
  return createPortal(
    <div className="menu" role="menu" aria-labelledby={heading} ref={menu} data-testid={test} onKeyDown={key}>
      <div className="menu-title" id={heading} role="presentation">
        {title}
      </div>
      {parts.map(({ label, choices }, i) => (
        <div key={`${label} ${i}`} role="group" aria-label={label} className="menu-part">
          {choices.map((choice) => (
            <Item
              key={choice.test}
              choice={choice}
              test={`${test}-${choice.test}`}
              onChoose={() => {
                leave()
                choice.run()
              }}
            />
          ))}
        </div>
      ))}
    </div>,
    document.body,
  )
}

// follow gives the focus to what a mouse is moved to. One that rests where a menu
// opens by the keyboard chooses nothing.
function follow({ pointerType, movementX, movementY, currentTarget }: PointerEvent<HTMLElement>): void {
  if (pointerType === 'mouse' && (movementX !== 0 || movementY !== 0)) currentTarget.focus({ preventScroll: true })
}

function Item({ choice: { icon, label, words, keys, colour, checked }, test, onChoose }: { choice: Choice; test: string; onChoose: () => void }) {
  const shown = keys && !isOff(keys) ? keys : undefined
  const role = checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked }
  return (
    <button type="button" {...role} tabIndex={-1} className="menu-item" data-testid={test} onClick={onChoose} onPointerMove={follow}>
      {colour ? <span className={`menu-colour paint-${colour}`} /> : <Icon name={icon} />}
      <span className="menu-words">{words ?? label}</span>
      {checked && <Icon name="check" />}
      {shown !== undefined && (
        <kbd className="menu-keys" aria-hidden="true">
          {showKeys(shown)}
        </kbd>
      )}
    </button>
  )
}
