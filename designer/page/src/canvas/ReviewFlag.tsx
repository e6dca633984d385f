import type { ReviewedTable } from '../api/review'
import type { Column, Id, Table } from '../api/types'
import { openPanel } from '../store/actions'
import { fullName, typeOf } from '../store/design'
import { useStore } from '../store/state'

// What there is to review, as marks on the canvas.

export function useReviewed(table: Id): ReviewedTable | undefined {
  return useStore((s) => (s.reviewing.connection === s.connection ? s.reviewing.tables.get(table) : undefined))
}

// droppedFrom are the columns of a table that the agent dropped, as they were.
export function droppedFrom(of: ReviewedTable | undefined, table: Table): Column[] {
  const there = new Set([...table.columns, ...(of?.after?.columns ?? table.columns)].map((c) => c.id))
  return of?.after ? (of.before?.columns ?? []).filter((c) => !there.has(c.id)) : []
}

// ReviewFlag counts what came, changed and went in a table.
export function ReviewFlag({ table }: { table: Table }) {
  const of = useReviewed(table.id)
  if (!of) return null
  const said = of.before ? countsOf(of.before, of.after ?? table) : 'new'
  return (
    <button type="button" className="flag reviewed nodrag" tabIndex={-1} title="What the agent changed: review it" aria-label={`Review of ${table.name}: ${said}`} data-testid={`reviewed-${fullName(table)}`} onClick={() => openPanel('review')}>
      {said}
    </button>
  )
}

function countsOf(before: Table, after: Table): string {
  const parts = (t: Table): Map<Id, string> =>
    new Map([...t.columns, ...(t.foreignKeys ?? []), ...(t.indexes ?? []), ...(t.checks ?? [])].map((p) => [p.id, JSON.stringify(p)]))
  const [was, is] = [parts(before), parts(after)]
  const added = [...is.keys()].filter((id) => !was.has(id)).length
  const dropped = [...was.keys()].filter((id) => !is.has(id)).length
  const changed = [...is].filter(([id, text]) => was.has(id) && was.get(id) !== text).length
  const counts = [added && `+${added}`, changed && `~${changed}`, dropped && `−${dropped}`].filter(Boolean)
  return counts.join(' ') || '~'
}

// ColumnNet says how the agent changed a column: "varchar(220) → text".
export interface ColumnNet {
  tone: 'add' | 'change'
  text: string
  types: string // before and after; '': it has the type it had
}

export function reviewOf(of: ReviewedTable | undefined, column: Column): ColumnNet | null {
  if (!of?.before) return null
  const was = of.before.columns.find((c) => c.id === column.id)
  if (!was) return { tone: 'add', text: 'added by the agent', types: '' }
  const is = of.after?.columns.find((c) => c.id === column.id)
  if (!is || JSON.stringify(was) === JSON.stringify(is)) return null
  const types = [typeOf(was), typeOf(is)]
  return { tone: 'change', text: `${describe(was)} → ${describe(is)}`, types: types[0] === types[1] ? '' : types.join(' → ') }
}

function describe(c: Column): string {
  return [c.name, typeOf(c), c.isNullable ? '' : 'not null', c.defaultValue ? `default ${c.defaultValue}` : ''].filter(Boolean).join(' ')
}
