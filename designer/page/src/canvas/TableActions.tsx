import { lazy, Suspense, type ReactNode } from 'react'
import { fullName, type Design } from '../store/design'
import { flaggedNow, unindexedIn } from '../store/lint'
import { useStore } from '../store/state'
import type { Choice } from '../ui/choice'
import { Action } from './Action'
import { ofRelation, ofTable, ofTables } from './choices'
import { LintAction } from './LintFlag'

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
  const flagged = useStore(flaggedNow)
  if (item !== null) {
    return (
      <Suspense>
        <ItemActions id={item} />
      </Suspense>
    )
  }
  if (many) return <Actions label={`${many.size} tables`} test="many-actions" choices={ofTables([...many], keeps)} />
  if (table) {
    return (
      <Actions label={`Table ${table.name}`} test="table-actions" choices={ofTable(table.id)}>
        <LintAction table={table} />
      </Actions>
    )
  }
  const child = relation && design?.tables.get(relation.table)
  if (!design || !relation || !child) return null
  const finding = unindexedIn(flagged, child, relation.key)
  const choices = ofRelation(design, relation.table, relation.key, finding)
  return (
    choices.length > 0 && (
      <Actions label={relationName(design, relation)} test="relation-actions" choices={choices}>
        {finding && (
          <span className="action-said" role="note" title={finding.message} data-testid="relation-said">
            {finding.message}
          </span>
        )}
      </Actions>
    )
  )
}

function relationName(design: Design, { table, key }: { table: string; key: string }): string {
  const child = design.tables.get(table)
  const parent = design.tables.get(child?.foreignKeys?.find((k) => k.id === key)?.refTable ?? '')
  return `Relation of ${child ? fullName(child) : ''}${parent ? ` to ${fullName(parent)}` : ''}`
}

interface ActionsProps {
  label: string
  test: string
  choices: readonly Choice[]
  children?: ReactNode // behind them
}

function Actions({ label, test, choices, children }: ActionsProps) {
  return (
    <div className="actions" role="toolbar" aria-label={label} data-testid={test}>
      {choices.map((choice) => (
        <Action key={choice.test} {...choice} />
      ))}
      {children}
    </div>
  )
}
