import { home } from '../api/home'
import type { Id } from '../api/types'
import { clearMarks } from './activity'
import { fullName } from './design'
import { store, type Form, type Theme } from './state'

// What a person does beside editing.

export function select(ids: readonly Id[]): void {
  const { selected } = store.get()
  if (ids.length === selected.size && ids.every((id) => selected.has(id)) && !store.get().selectedKey && !store.get().chosenItem) return
  store.set({ selected: new Set(ids), selectedKey: null, chosenItem: null })
  clearMarks(ids)
  writeAddress()
}

export function selectKey(table: Id, key: Id): void {
  store.set({ selected: new Set(), chosenItem: null, selectedKey: { table, key } })
  writeAddress()
}

export function openForm(form: Form | null): void {
  store.set({ form })
}

export function openPanel(panel: string | null): void {
  store.set({ panel })
  writeAddress()
}

export const outlineKeys = 'alt+o'

const outlineKey = 'berth.outline'

// openOutline opens or closes the list of tables beside the canvas, as it is
// next time. What opens it has the focus then, which the outline takes from
// there, and has it back afterwards.
export function openOutline(outline: boolean): void {
  document.querySelector<HTMLElement>('[aria-controls=outline]')?.focus()
  store.set({ outline })
  home.keep(outlineKey, outline ? '1' : '')
}

// askForName opens the outline, which asks how to call what is shown as a view.
export function askForName(): void {
  store.set({ outline: true, naming: true })
  home.keep(outlineKey, '1')
}

export function toggleOutline(): void {
  openOutline(!store.get().outline)
}

// makeRoom closes the outline for something else, until it is asked for again.
export function makeRoom(): void {
  store.set({ outline: false })
}

export function restoreOutline(): void {
  store.set({ outline: home.read(outlineKey) === '1' && innerWidth > 720 }) // a sheet would cover what is opened
}

export function setTheme(theme: Theme): void {
  store.set({ theme })
  home.keep('berth.theme', theme)
  applyTheme(theme)
}

export function applyTheme(theme: Theme): void {
  if (home.themed) return
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function restoreTheme(): void {
  const kept = home.read('berth.theme')
  const theme: Theme = kept === 'light' || kept === 'dark' ? kept : 'auto'
  store.set({ theme })
  applyTheme(theme)
}

// writeAddress keeps the address a link to what is seen: connection, panel
// and the one table that is selected.
export function writeAddress(): void {
  const { connection, list, panel, selected, design } = store.get()
  const params = new URLSearchParams()
  const known = new Set([...list.connections.map((c) => c.id), ...list.designs.map((d) => d.connection)])
  if (connection && known.size > 1) params.set('connection', connection)
  const only = selected.size === 1 ? design?.tables.get([...selected][0] ?? '') : undefined
  if (only) params.set('table', fullName(only))
  if (panel) params.set('panel', panel)
  home.showAddress(params.toString())
}
