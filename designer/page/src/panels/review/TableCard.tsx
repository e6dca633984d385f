import type { ReviewedTable } from '../../api/review'
import type { Id, Table } from '../../api/types'
import { reveal } from '../../canvas/view'
import { fullName, titleOf } from '../../store/design'
import { store, useStore } from '../../store/state'
import { Icon } from '../../ui/Icon'
import { partsOf } from './net'
import { NetCard } from './NetCard'

// TableCard is the net change of one table.
export function TableCard({ table }: { table: ReviewedTable }) {
  const { id, before, after, last } = table
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const tables = useStore((s) => s.reviewing.tables)
  const one = after ?? before
  if (!one) return null
  const title = titleOf({ defaultSchema }, one)
  const find = (of: Id | undefined): Table | undefined => tables.get(of ?? '')?.after ?? tables.get(of ?? '')?.before ?? store.get().design?.tables.get(of ?? '')
  const columnName = (of: Id | undefined, c: Id | undefined): string => find(of)?.columns.find((x) => x.id === c)?.name ?? '?'
  const changed = before && after ? partsOf(id, before, after, (of) => find(of)?.name ?? '?', columnName) : []
  return (
    <NetCard
      kind="Table"
      at={id}
      title={title}
      tone={before ? (after ? 'change' : 'drop') : 'add'}
      last={last}
      parts={changed}
      testId={`net-${fullName(one)}`}
      {...(changed.length === 0 && { summary: one.columns.map((c) => c.name).join(', ') })}
      tool={
        after && (
          <button type="button" className="icon-button" aria-label={`Show ${title} on the canvas`} title="Show on the canvas" onClick={() => reveal([id])}>
            <Icon name="fit" />
          </button>
        )
      }
    />
  )
}
