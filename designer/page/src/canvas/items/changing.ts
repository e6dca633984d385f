import { most, type Colour, type Item } from '../../api/items'
import type { Id } from '../../api/types'
import { select } from '../../store/actions'
import { store } from '../../store/state'
import { toast } from '../../store/toasts'
import { rectsOf, type Rect } from '../geometry'
import { moveTables } from '../moving'
import { isSpread, placesOf } from '../spread'
import { middleOfView, zoomOfView } from '../view'
import { around, freeTitle, itemsOf, movedBy, resized, within, wordsOf, type Side } from './items'

// What a person does about areas and notes.

// chooseItem selects an area or note, and nothing else.
export function chooseItem(id: string): void {
  if (store.get().chosenItem === id) return
  select([])
  store.set({ chosenItem: id, selectedKey: null })
}

// areaAround makes an area around tables.
export function areaAround(tables: readonly Id[]): void {
  const { design } = store.get()
  const rect = around(rectsOf(tables.flatMap((id) => design?.tables.get(id) ?? []), placesOf(store.get())))
  if (rect) add('area', rect)
}

// addArea makes an area around what is selected, else an empty one at a place,
// or where one looks.
export function addArea(at?: { x: number; y: number }): void {
  const { selected } = store.get()
  if (!at && selected.size > 0) areaAround([...selected])
  else add('area', ground(420, 280, at))
}

export function addNote(at?: { x: number; y: number }): void {
  add('note', ground(220, 110, at))
}

// ground is large enough to be seen from where one looks.
function ground(width: number, height: number, at = middleOfView()): Rect {
  const scale = Math.max(1, 0.4 / zoomOfView())
  return { x: Math.round(at.x), y: Math.round(at.y), width: Math.round(width * scale), height: Math.round(height * scale) }
}

function add(kind: Item['kind'], rect: Rect): void {
  const items = itemsOf(store.get())
  if (store.get().items === null) return
  if (Object.keys(items).length >= most.items) {
    toast('warn', `The canvas holds at most ${most.items} areas and notes; remove one first.`)
    return
  }
  const id = crypto.randomUUID()
  const item: Item = { kind, text: kind === 'area' ? freeTitle(items) : '', colour: kind === 'area' ? 'blue' : 'yellow', ...rect }
  moveTables({}, false, { [id]: item })
  chooseItem(id)
  store.set({ writing: id })
}

// change makes something else of an item, unless it is gone meanwhile.
function change(id: string, to: (item: Item) => Item | null): void {
  const item = itemsOf(store.get())[id]
  if (item) moveTables({}, false, { [id]: to(item) })
}

export function paint(id: string, colour: Colour): void {
  change(id, (item) => ({ ...item, colour }))
}

// write gives an item its text; an area keeps its title where there is none.
export function write(id: string, text: string): void {
  const item = itemsOf(store.get())[id]
  const next = item?.kind === 'area' ? text.trim() : text
  if (!item || next === item.text || (item.kind === 'area' && next === '')) return
  change(id, () => ({ ...item, text: next }))
}

export function remove(id: string): void {
  const item = itemsOf(store.get())[id]
  change(id, () => null)
  store.set({ chosenItem: null, writing: null })
  if (!item) return
  const undo = (): void => moveTables({}, false, { [id]: item })
  if (isSpread(store.get())) toast('info', `Removed ${wordsOf(item)}.`, { action: { label: 'Put back', run: undo } })
}

// shift moves an item by keys, with what lies in it.
export function shift(id: string, dx: number, dy: number): void {
  const { tables, items } = movedBy(store.get(), id, within(store.get(), id), dx, dy)
  moveTables(tables, false, items)
}

export function stretch(id: string, dx: number, dy: number): void {
  change(id, (item) => resized(item, [1, 1], dx, dy))
}

// begin begins a drag of an item, or of a border of it, and returns what
// follows the pointer: how far it is from where it began.
export function begin(id: string, side: Side | null): (dx: number, dy: number, ongoing: boolean) => void {
  const began = store.get()
  const held = within(began, id)
  const item = itemsOf(began)[id]
  return (dx, dy, ongoing) => {
    if (!item || !itemsOf(store.get())[id]) return // removed at another page meanwhile
    const { tables, items } = side ? { tables: {}, items: { [id]: resized(item, side, dx, dy) } } : movedBy(began, id, held, dx, dy)
    moveTables(tables, ongoing, items)
  }
}
