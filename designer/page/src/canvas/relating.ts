import type { Id } from '../api/types'
import { selectKey } from '../store/actions'
import { store } from '../store/state'
import { toast } from '../store/toasts'
import { showForm } from '../ui/showForm'
import { filtered } from './filter'
import { focusSoon } from './focusSoon'
import { allRelations } from './relations'
import { askToDropKey } from './removing'
import { look } from './view'

// Relations by the keyboard: Alt+R goes through those of a table; on one that
// has the focus the arrows go through all that are drawn, Enter edits and
// Delete drops.

export interface Key {
  table: Id // that has it
  key: Id
}

export function relationKey(pressed: string, edge: SVGElement): void {
  const all = [...(edge.closest('svg')?.querySelectorAll<SVGElement>('.edge[role=option]') ?? [])]
  const to = targetOf(pressed, all.indexOf(edge), all.length)
  const { of: table = '', key = '' } = (to === null ? edge : all[to])?.dataset ?? {}
  if (to !== null) focusKey({ table, key })
  else if (pressed === 'Enter') showForm({ kind: 'relation', table, key })
  else askToDropKey(table, key)
}

// targetOf is where a key leads in a list that is gone round; null: nowhere.
export function targetOf(key: string, at: number, length: number): number | null {
  if (key === 'ArrowDown' || key === 'ArrowRight') return (at + 1) % length
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (at - 1 + length) % length
  if (key === 'Home') return 0
  return key === 'End' ? length - 1 : null
}

let centre: Id | undefined // the table whose relations are gone through

// nextRelation selects a relation of the table that is selected, or the one
// after the relation that is.
export function nextRelation(): void {
  const { design, selected, selectedKey } = store.get()
  const only = selected.size === 1 ? [...selected][0] : undefined
  if (selectedKey && !keysAt(centre).some((k) => k.key === selectedKey.key)) centre = selectedKey.table
  if (!selectedKey) centre = only
  const keys = keysAt(centre)
  const next = keys[(keys.findIndex((k) => k.key === selectedKey?.key) + 1) % keys.length]
  if (next) focusKey(next)
  else toast('info', only === undefined ? 'Select a table first, to go through its relations.' : `${design?.tables.get(only)?.name ?? ''} has no relation here.`)
}

// keysAt are the keys of a table and those that refer to it, among what is shown.
export function keysAt(table: Id | undefined): Key[] {
  const { design, filter } = store.get()
  if (!design || table === undefined) return []
  const shown = new Set(filtered(design, filter).map((t) => t.id))
  const keys = new Map<Id, Key>()
  for (const r of allRelations(design)) {
    if ((r.table === table || r.refTable === table) && shown.has(r.table) && shown.has(r.refTable)) keys.set(r.key, { table: r.table, key: r.key })
  }
  return [...keys.values()].sort((a, b) => Number(b.table === table) - Number(a.table === table))
}

// focusKey selects a relation, gives it the keyboard's focus and brings both of
// its tables into view.
export function focusKey({ table, key }: Key): void {
  selectKey(table, key)
  const parent = store.get().design?.tables.get(table)?.foreignKeys?.find((k) => k.id === key)?.refTable
  look(parent === undefined ? [table] : [table, parent])
  focusSoon(() => document.querySelector<SVGElement>(`.edge[role=option][data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true }))
}
