import { useReactFlow } from '@xyflow/react'
import { useEffect, type RefObject } from 'react'
import { home } from '../api/home'
import type { Id, Table } from '../api/types'
import { select } from '../store/actions'
import { findTable } from '../store/design'
import { moveAsStep, undoMove } from '../store/moves'
import { store } from '../store/state'
import { toast } from '../store/toasts'
import { arrangeAmong, stillThere } from './among'
import { filtered } from './filter'
import { focusSoon } from './focusSoon'
import { unhide } from './showing'
import { bounds, rectsOf, type Rect } from './geometry'
import { allShown, itemsOf } from './items/items'
import { provideView, reveal } from './view'
import { isSpread, placesOf, spreadOut } from './spread'

export const minZoom = 0.01
export const maxZoom = 2

const moving = 200 // milliseconds that a movement of the view takes
const late = 100 // and that its last frame may come later

let underWay = { again: (): void => undefined, until: 0 }

// moveAgain restarts an unfinished movement, for a canvas of another size. It
// reports whether there was one.
export function moveAgain(): boolean {
  if (performance.now() > underWay.until) return false
  underWay.again()
  return true
}

// useView answers what other parts of the page ask of the canvas, and follows
// the address: #table=dbo.Orders shows that table.
export function useView(stage: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow()
  useEffect(() => {
    const show = (rect: Rect | null, most: number): void => {
      const box = stage.current?.getBoundingClientRect()
      if (!rect || !box) return
      void flow.setViewport(viewportFor(rect, box, most), { duration: calm() ? 0 : moving })
      underWay = { again: () => show(rect, most), until: performance.now() + moving + late }
    }
    const look = (tables: readonly Table[]): void =>
      show(bounds(rectsOf(tables, placesOf(store.get()))), Math.max(0.8, Math.min(1, flow.getZoom())))
    const revealTables = (ids: readonly Id[]): void => {
      const tables = tablesOf(ids)
      if (tables.length === 0) return
      shownToo(tables)
      select(tables.map((t) => t.id))
      look(tables)
    }
    provideView({
      reveal: revealTables,
      focus(id) {
        const tables = tablesOf([id])
        shownToo(tables)
        if (!inView(id, flow.getViewport(), stage.current)) look(tables)
        if (!store.get().selected.has(id)) select([id])
        focusSoon(() => focusNode(id))
      },
      look(ids) {
        const tables = tablesOf(ids)
        if (tables.some((t) => !inView(t.id, flow.getViewport(), stage.current))) look(tables)
      },
      fit: () => show(allShown(store.get()), 1),
      pan(by) {
        const { x, y, zoom } = flow.getViewport()
        void flow.setViewport({ x: x + by.x, y: y + by.y, zoom }, { duration: calm() ? 0 : moving })
      },
      arrange: () => arrangeShown(() => show(allShown(store.get()), 1)),
      zoom: () => flow.getZoom(),
      toCanvas: (at) => flow.screenToFlowPosition(at),
      middle() {
        const box = stage.current?.getBoundingClientRect()
        return box ? flow.screenToFlowPosition({ x: box.left + box.width / 2 - 120, y: box.top + box.height / 3 }) : { x: 0, y: 0 }
      },
    })
    return () => provideView(null)
  }, [flow, stage])
  useEffect(() => {
    addEventListener('hashchange', followAddress)
    return () => removeEventListener('hashchange', followAddress)
  }, [])
}

// followAddress shows the table that the address names. It reports whether
// there is one.
export function followAddress(): boolean {
  const name = new URLSearchParams(home.address()).get('table')
  const { design } = store.get()
  if (name === null || !design) return false
  const [, schema = '', table = name] = /^([^.]*)\.(.*)$/.exec(name) ?? []
  const found = findTable(design, schema, table)
  if (!found) {
    toast('warn', `There is no table ${name} in this design.`)
    return false
  }
  reveal([found.id])
  return true
}


export function viewportFor(rect: Rect, box: { width: number; height: number }, most: number): { x: number; y: number; zoom: number } {
  const pad = Math.min(40, box.width / 24, box.height / 12)
  const fitting = Math.min((box.width - 2 * pad) / rect.width, (box.height - 2 * pad) / rect.height)
  const zoom = Math.max(minZoom, Math.min(most, fitting))
  return { x: box.width / 2 - (rect.x + rect.width / 2) * zoom, y: box.height / 2 - (rect.y + rect.height / 2) * zoom, zoom }
}

export function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

function shownNow(): Table[] {
  const { design, filter } = store.get()
  return design ? filtered(design, filter) : []
}

function tablesOf(ids: readonly Id[]): Table[] {
  const { design } = store.get()
  return ids.flatMap((id) => design?.tables.get(id) ?? [])
}

// shownToo has the canvas show what is asked for by name, whatever the filter
// says; the rest of what it hides stays hidden.
function shownToo(tables: readonly Table[]): void {
  const shown = new Set(shownNow())
  if (tables.some((t) => !shown.has(t))) unhide(tables.map((t) => t.id))
}

function inView(id: Id, { x, y, zoom }: { x: number; y: number; zoom: number }, stage: HTMLElement | null): boolean {
  const at = placesOf(store.get())[id]
  if (!at || !stage) return false
  const [left, top] = [at.x * zoom + x, at.y * zoom + y]
  return left > 0 && top > 0 && left < stage.clientWidth - 120 && top < stage.clientHeight - 60
}

function focusNode(id: Id): void {
  document.querySelector<HTMLElement>(`[role="group"][data-id="${CSS.escape(id)}"]`)?.focus()
}

// arrangeShown arranges the visible tables again; the others stay.
async function arrangeShown(then: () => void): Promise<void> {
  const state = store.get()
  const { design, positions } = state
  if (!design) return
  const shown = shownNow()
  const seen = new Set(shown)
  const hidden = [...design.tables.values()].filter((t) => !seen.has(t))
  try {
    if (isSpread(store.get())) {
      if (await spreadOut()) then()
      return
    }
    const { tables, items } = await arrangeAmong(design, { shown, hidden, positions, items: itemsOf(state) })
    moveAsStep(tables, false, stillThere(items, itemsOf(store.get())))
  } catch {
    toast('bad', 'The tables could not be arranged; they are where they were.')
    return
  }
  const made = store.get().moves.at(-1)
  then()
  toast('info', `Arranged ${shown.length} tables. Undo puts them back.`, {
    stands: () => store.get().moves.at(-1) === made,
    action: {
      label: 'Put back',
      run: () => {
        if (store.get().moves.at(-1) === made && undoMove()) then()
        else toast('info', 'Something was done since; undo goes back step by step.')
      },
    },
  })
}
