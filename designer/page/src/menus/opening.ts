import { chooseItem } from '../canvas/items/changing'
import { select, selectKey } from '../store/actions'
import { store } from '../store/state'
import { createStore } from '../store/store'
import { inTextField } from '../ui/shortcuts'
import { targetOf, type Point, type Target } from './target'

// How a context menu is asked for: a right click; a long press, which not every
// browser makes a right click of; the Menu key and Shift+F10, which no browser
// on a Mac knows. Text fields and dialogs keep the browser's own.

export interface Opened {
  target: Target
  at: Point
  back: HTMLElement | SVGElement | null // has the focus again afterwards
}

export const menus = createStore<{ opened: Opened | null }>({ opened: null })

export function closeMenu(): void {
  menus.set({ opened: null })
}

const long = 550 // milliseconds of a press that asks
const slack = 10 // pixels that it may move
const twice = 800 // milliseconds in which one gesture may ask by two events

let asked = -Infinity // when a key or a long press did

// watchMenus listens until what it returns is called.
export function watchMenus(): () => void {
  const ends = new AbortController()
  const { signal } = ends
  const press = new LongPress()
  // On the document: an editor that shows the page listens at the window, with
  // a menu of its own for what is not answered here.
  document.addEventListener('contextmenu', contextMenu, { signal })
  document.addEventListener('keydown', menuKey, { signal })
  document.addEventListener('pointerdown', (event) => press.down(event), { signal, capture: true })
  document.addEventListener('pointermove', (event) => press.move(event), { signal, capture: true })
  for (const kind of ['pointerup', 'pointercancel'] as const) document.addEventListener(kind, () => press.end(), { signal, capture: true })
  return () => ends.abort()
}

function contextMenu(event: MouseEvent): void {
  const element = asking(event)
  if (!element) return
  const at = { x: event.clientX, y: event.clientY }
  const again = performance.now() - asked < twice || element.closest('[role=menu]') !== null
  if (again || open(targetOf(element, at), at)) event.preventDefault()
}

function menuKey(event: KeyboardEvent): void {
  if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
  const element = asking(event) && (document.activeElement ?? document.body)
  const target = element && targetOf(element, null)
  if (!target) return
  asked = performance.now()
  event.preventDefault()
  open(target, placeOf(target, element))
}

function asking(event: Event): Element | null {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element) || inTextField(target) || target.closest('dialog[open]')) return null
  return target
}

// placeOf is where a menu that the keyboard asked for opens: at what it is of.
function placeOf(target: Target, element: Element): Point {
  const named: Record<Target['kind'], string> = {
    row: '.outline-row.active',
    relation: '.edge.chosen .line',
    item: '.item.chosen',
    tables: element.matches('.table') ? '.table:focus' : '.table.selected',
    column: '.row:focus',
    view: '.view-row:focus-within',
    canvas: '.plane',
  }
  const { left = 0, top = 0, width = 0, height = 0 } = document.querySelector(named[target.kind])?.getBoundingClientRect() ?? {}
  return target.kind === 'canvas' || target.kind === 'relation' ? { x: left + width / 2, y: top + height / 2 } : { x: left + Math.min(28, width), y: top + Math.min(28, height) }
}

// open selects what the menu is of, so that it is seen, and opens it.
export function open(target: Target | null, at: Point): boolean {
  if (!target || !store.get().design) return false
  const { selected } = store.get()
  const alone = target.kind === 'column' ? target.table : target.kind === 'tables' && target.ids.length === 1 ? target.ids[0] : undefined
  if (alone !== undefined && !selected.has(alone)) select([alone])
  if (target.kind === 'relation') selectKey(target.table, target.key)
  if (target.kind === 'item') chooseItem(target.id)
  const active = document.activeElement
  const back = active !== document.body && (active instanceof HTMLElement || active instanceof SVGElement) ? active : null
  menus.set({ opened: { target, at, back } })
  return true
}

// LongPress opens the menu while a finger or a pen rests.
class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined
  private from: Point = { x: 0, y: 0 }

  down(event: PointerEvent): void {
    asked = -Infinity // whatever comes of this press was not asked for before
    clearTimeout(this.timer)
    const element = asking(event)
    if (!element || event.pointerType === 'mouse' || !event.isPrimary || element.closest('[role=menu], button:not(.view-name)')) return
    const at = (this.from = { x: event.clientX, y: event.clientY })
    this.timer = setTimeout(() => {
      if (menus.get().opened || !open(targetOf(element, at), at)) return
      asked = performance.now()
      swallowClick()
    }, long)
  }

  move({ clientX, clientY }: PointerEvent): void {
    if (Math.hypot(clientX - this.from.x, clientY - this.from.y) > slack) clearTimeout(this.timer)
  }

  end(): void {
    clearTimeout(this.timer)
  }
}

// swallowClick takes the click that ends a long press, which means nothing
// more.
function swallowClick(): void {
  const take = (event: Event): void => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', take, { capture: true, once: true })
  addEventListener('pointerup', () => setTimeout(() => removeEventListener('click', take, { capture: true }), 60), { capture: true, once: true })
}
