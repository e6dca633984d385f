import { lazy, Suspense } from 'react'
import { fullName, type Design } from '../store/design'
import { useStore } from '../store/state'
import type { Choice } from '../ui/choice'
import { Action } from './Action'
import { ofRelation, ofTable, ofTables } from './choices'

const ItemActions = lazy(() => import('./items/ItemActions'))

// TableActions are what can be done with what is selected: a table, several, a
// relation, an area or note. They stand below the canvas, where they cover no
// table and no panel cuts them.
export function TableActions() {
  const table = useStore((s) => (s.selected.size === 1 ? s.design?.tables.get([...s.selected][0] ?? '') : undefined))
  const many = useStore((s) => (s.selected.size > 1 ? s.selected : null))
  const item = useStore((s) => s.chosenItem)
  const relation = useStore((s) => s.selectedKey)
  const design = useStore((s) => s.design)
  const keeps = useStore((s) => s.items !== null)
  if (item !== null) {
    return (
      <Suspense>
        <ItemActions id={item} />
      </Suspense>
    )
  }
  if (many) return <Actions label={`${many.size} tables`} test="many-actions" choices={ofTables([...many], keeps)} />
  if (table) return <Actions label={`Table ${table.name}`} test="table-actions" choices={ofTable(table.id)} />
  if (!design || !relation) return null
  const choices = ofRelation(design, relation.table, relation.key)
  return choices.length > 0 && <Actions label={relationName(design, relation)} test="relation-actions" choices={choices} />
}

function relationName(design: Design, { table, key }: { table: string; key: string }): string {
  const child = design.tables.get(table)
  const parent = design.tables.get(child?.foreignKeys?.find((k) => k.id === key)?.refTable ?? '')
  return `Relation of ${child ? fullName(child) : ''}${parent ? ` to ${fullName(parent)}` : ''}`
}

function Actions({ label, test, choices }: { label: string; test: string; choices: readonly Choice[] }) {
  return (
    <div className="actions" role="toolbar" aria-label={label} data-testid={test}>
      {choices.map((choice) => (
        <Action key={choice.test} {...choice} />
      ))}
    </div>
  )
}
