import type { Id } from '../api/types'
import { settling } from '../panels/lint/groups'
import { flaggedNow, unindexed } from '../store/lint'
import { settle } from '../store/settle'
import { useStore } from '../store/state'
import { showForm } from '../ui/showForm'
import { Action } from './Action'
import './lint.css'
import { askToDropKey } from './removing'

// RelationActions are what can be done with the relation that is selected. What
// lint says of it is among them.
export default function RelationActions({ table: id, id: keyId }: { table: Id; id: Id }) {
  const table = useStore((s) => s.design?.tables.get(id))
  const found = useStore((s) => flaggedNow(s).get(id))
  const key = table?.foreignKeys?.find((k) => k.id === keyId)
  if (!table || !key) return null
  const finding = unindexed(found, table, key)
  return (
    <div className="actions" role="toolbar" aria-label={`Foreign key ${key.name ?? `of ${table.name}`}`} data-testid="relation-actions">
      <Action icon="edit" label="Edit" test="edit-relation" onClick={() => showForm({ kind: 'relation', table: id, key: keyId })} />
      {finding && <Action icon="plus" label={settling(finding)} test="relation-fix" onClick={() => void settle(finding)} />}
      <Action icon="trash" label="Drop" test="drop-key" onClick={() => askToDropKey(id, keyId)} />
      {finding && (
        <span className="action-said" role="note" title={finding.message} data-testid="relation-said">
          {finding.message}
        </span>
      )}
    </div>
  )
}
