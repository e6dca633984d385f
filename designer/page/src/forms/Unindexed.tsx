import type { ForeignKey, Table } from '../api/types'
import { settling } from '../panels/lint/groups'
import { flaggedNow, unindexed } from '../store/lint'
import { settle } from '../store/settle'
import { useStore } from '../store/state'

// Unindexed says of a foreign key that no index begins with its columns, and
// adds it. That is an edit of its own: what is typed in the form stays.
export function Unindexed({ table, foreignKey }: { table: Table; foreignKey: ForeignKey }) {
  const finding = useStore((s) => unindexed(flaggedNow(s).get(table.id), table, foreignKey))
  const busy = useStore((s) => s.pending.length > 0 || !s.online)
  if (!finding) return null
  return (
    <div className="note warning unindexed" role="note" data-testid="unindexed">
      <span>{finding.message}</span>
      <button type="button" className="button small" disabled={busy} data-testid="unindexed-fix" onClick={() => void settle(finding)}>
        {settling(finding)}
      </button>
    </div>
  )
}
