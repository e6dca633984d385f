import { colours } from '../api/items'
import type { Id } from '../api/types'
import { ofRelation, ofTable, ofTables } from '../canvas/choices'
import { collapse, collapsible, turn } from '../canvas/collapsing'
import { filtered, isFiltered } from '../canvas/filter'
import { paint, remove } from '../canvas/items/changing'
import { itemsOf, wordsOf } from '../canvas/items/items'
import { hide, selectShown, showAll, showNear, unhide } from '../canvas/showing'
import { arrangeView, fitView, reveal, toCanvas } from '../canvas/view'
import { askForName, openOutline } from '../store/actions'
import { columnById, fullName, type Design } from '../store/design'
import { flaggedNow, unindexedIn, type Lint } from '../store/lint'
import { store, type State } from '../store/state'
import type { Choice } from '../ui/choice'
import type { Section } from '../ui/Menu'
import { additions } from './additions'
import { copyTables, pasteHere } from './clipboard'
import { ofColumn } from './columns'
import type { Point, Target } from './target'

// What the context menus offer: what can be done elsewhere too, by the same
// functions.

export interface MenuWords {
  title: string
  sections: Section[] // none where the target is gone
}

const nothing: MenuWords = { title: '', sections: [] }

export function menuOf(target: Target, state: State): MenuWords {
  const { design } = state
  if (!design) return nothing
  switch (target.kind) {
    case 'tables':
      return ofSelected(target.ids.filter((id) => design.tables.has(id)), design, state.items !== null)
    case 'column':
      return ofColumnRow(design, target.table, target.column)
    case 'relation':
      return ofKey(design, target.table, target.key, flaggedNow(state))
    case 'item':
      return ofItem(target.id, state)
    case 'canvas':
      return ofCanvas(target.at, state)
    case 'row':
      return ofRow(target.key, design, state)
    case 'view':
      return ofView(target.id, state)
  }
}

function ofSelected(ids: readonly Id[], design: Design, keeps: boolean): MenuWords {
  const copy: Choice = { icon: 'copy', label: 'Copy', test: 'copy', keys: 'mod+c', run: () => void copyTables(ids) }
  const only = ids.length === 1 ? design.tables.get(ids[0] ?? '') : undefined
  if (ids.length === 0) return nothing
  const folds = collapsible(ids, true).length > 0
  const fold: Choice = { icon: folds ? 'up' : 'down', label: folds ? 'Collapse' : 'Expand', words: folds ? 'Collapse to the title' : 'Expand', test: 'collapse', keys: 'alt+c', run: () => turn(ids) }
  if (!only) return { title: `${ids.length} tables`, sections: withDanger([...ofTables(ids, keeps), fold, copy]) }
  const rename: Choice = { icon: 'edit', label: 'Rename', test: 'rename-table', keys: 'F2', run: () => store.set({ renaming: { table: only.id, column: null } }) }
  return { title: only.name, sections: withDanger([...ofTable(only.id), rename, fold, copy]) }
}

function ofColumnRow(design: Design, table: Id, column: Id): MenuWords {
  const found = design.tables.get(table)
  const name = found && columnById(found, column)?.name
  if (!found || name === undefined) return nothing
  const rest = ofSelected([table], design, false)
  return { title: `${found.name}.${name}`, sections: [{ label: `Column ${name}`, choices: ofColumn(design, found, column) }, ...rest.sections.map((s) => ({ ...s, label: `Table ${found.name}` }))] }
}

function ofKey(design: Design, table: Id, key: Id, flagged: Lint['flagged']): MenuWords {
  const child = design.tables.get(table)
  const choices = ofRelation(design, table, key, child && unindexedIn(flagged, child, key))
  const parent = design.tables.get(child?.foreignKeys?.find((k) => k.id === key)?.refTable ?? '')
  return choices.length === 0 || !child ? nothing : { title: parent ? `${child.name} → ${parent.name}` : child.name, sections: withDanger(choices) }
}

function ofItem(id: string, state: State): MenuWords {
  const item = itemsOf(state)[id]
  if (!item) return nothing
  const paints = colours.map((colour): Choice => ({ icon: 'area', colour, label: colour.replace(/^./, (c) => c.toUpperCase()), test: `colour-${colour}`, checked: item.colour === colour, run: () => paint(id, colour) }))
  return {
    title: item.kind === 'area' ? wordsOf(item) : 'Note',
    sections: [
      { label: 'Text', choices: [{ icon: 'edit', label: item.kind === 'area' ? 'Rename' : 'Edit', test: 'edit-item', keys: 'Enter', run: () => store.set({ writing: id }) }] },
      { label: 'Colour', choices: paints },
      { label: 'Delete', choices: [{ icon: 'trash', label: 'Delete', test: 'remove-item', keys: 'Delete', run: () => remove(id) }] },
    ],
  }
}

function ofCanvas(at: Point | null, state: State): MenuWords {
  const { design, filter, views } = state
  const place = at ? toCanvas(at) : undefined
  const show: Choice[] = [
    { icon: 'check', label: 'Select all', test: 'select-all', keys: 'mod+a', run: selectShown },
    { icon: 'fit', label: 'Zoom to fit', test: 'fit', keys: '1', run: fitView },
    { icon: 'arrange', label: 'Arrange what is visible', test: 'arrange', keys: 'alt+l', run: () => void arrangeView() },
  ]
  const shown = design ? filtered(design, filter).map((t) => t.id) : []
  if (collapsible(shown, true).length > 0) show.push({ icon: 'up', label: 'Collapse all', test: 'collapse-all', run: () => collapse(shown, true) })
  if (collapsible(shown, false).length > 0) show.push({ icon: 'down', label: 'Expand all', test: 'expand-all', run: () => collapse(shown, false) })
  if (design && isFiltered(design, filter)) show.push({ icon: 'eye', label: 'Show all tables', test: 'show-all', run: showAll })
  if (views) show.push({ icon: 'plus', label: 'Save as a view', test: 'save-view', run: askForName })
  return {
    title: 'Canvas',
    sections: [
      { label: 'Add', choices: [...additions(state, place), { icon: 'copy', label: 'Paste', test: 'paste', keys: 'mod+v', run: () => void pasteHere() }] },
      { label: 'View', choices: show },
    ],
  }
}

// ofRow is for a row of the outline. What a press on the row does is done by
// the row.
function ofRow(key: string, design: Design, { filter }: State): MenuWords {
  const row = document.querySelector<HTMLElement>(`[role=treeitem][data-row="${CSS.escape(key)}"]`)
  const press = (): void => row?.click()
  const table = design.tables.get(key)
  if (!row) return nothing
  if (!table) {
    const open = row.getAttribute('aria-expanded')
    const label = open === null ? 'See what is changed' : open === 'true' ? 'Close' : 'Open'
    return { title: row.querySelector('.outline-name')?.textContent ?? '', sections: [{ label: 'Row', choices: [{ icon: open === null ? 'diff' : 'outline', label, test: 'press-row', keys: 'Enter', run: press }] }] }
  }
  const off = !filtered(design, filter).includes(table)
  const near = (): void => {
    showNear(table.id)
    if (innerWidth <= 720) openOutline(false) // a sheet, which covers what was asked for
  }
  const own = new Set(['related-only', 'hide-table'])
  return {
    title: fullName(table),
    sections: [
      {
        label: 'Show',
        choices: [
          { icon: 'fit', label: 'Go to table', test: 'press-row', keys: 'Enter', run: off ? () => reveal([table.id]) : press },
          { icon: 'near', label: 'Show only what is related', test: 'related-only', run: near },
          off ? { icon: 'eye', label: 'Show on the canvas', test: 'show-table', run: () => unhide([key]) } : { icon: 'hide', label: 'Hide on the canvas', test: 'hide-table', run: () => hide([key]) },
        ],
      },
      ...withDanger(ofTable(key).flatMap((c) => (own.has(c.test) ? [] : { ...c, keys: '' }))), // which are those of a table on the canvas
    ],
  }
}

// ofView is for a saved view, whose row does all of it.
function ofView(id: string, { views }: State): MenuWords {
  const view = views?.find((v) => v.id === id)
  const row = document.querySelector(`[data-view="${CSS.escape(id)}"]`)
  if (!view || !row) return nothing
  const press = (part: string) => (): void => row.querySelector<HTMLElement>(part)?.click()
  return {
    title: view.name,
    sections: withDanger([
      { icon: 'eye', label: 'Show', test: 'show-view', keys: 'Enter', run: press('.view-name') },
      { icon: 'edit', label: 'Rename', test: 'rename-view', run: press('[data-testid=rename-view]') },
      { icon: 'trash', label: 'Remove', test: 'remove-view', run: press('[data-testid=remove-view]') },
    ]),
  }
}

// withDanger sets apart what takes things away, below the rest.
function withDanger(choices: readonly Choice[]): Section[] {
  const takes = (c: Choice): boolean => c.icon === 'trash'
  return [
    { label: 'Do', choices: choices.filter((c) => !takes(c)) },
    { label: 'Remove', choices: choices.filter(takes) },
  ]
}
