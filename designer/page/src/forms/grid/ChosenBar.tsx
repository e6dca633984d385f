import type { ColumnSpec, Edit } from '../../api/edits'
import type { Column, Id, Table } from '../../api/types'
import { refTo } from '../../store/apply'
import { editAloud } from '../../store/queue'
import { toast } from '../../store/toasts'
import { Icon } from '../../ui/Icon'
import { lineOf } from './lines'
import { rowOf } from './row'

// ChosenBar is what can be done with the rows that are selected.
export function ChosenBar({ table, chosen, onDone }: { table: Table; chosen: ReadonlySet<Id>; onDone: () => void }) {
  const columns = table.columns.filter((c) => chosen.has(c.id))
  const ref = { id: table.id }
  const each = (edit: (c: Column) => Edit): void => void editAloud(columns.map(edit))
  const set = (part: ColumnSpec): void => each((c) => ({ op: 'set_column', table: ref, column: refTo(c), set: part }))
  const copy = (): void => {
    const text = columns.map((c) => lineOf(rowOf(table, c))).join('\n')
    navigator.clipboard.writeText(text).then(
      () => toast('info', `Copied ${columns.length} ${columns.length === 1 ? 'column' : 'columns'} as text.`),
      () => toast('bad', 'The browser does not let this page copy.'),
    )
  }
  return (
    <div className="chosen-bar" role="toolbar" aria-label="Selected columns" data-testid="chosen-columns">
      <span>{columns.length} selected</span>
      <button type="button" className="button small" data-testid="chosen-nullable" onClick={() => set({ isNullable: true })}>
        Nullable
      </button>
      <button type="button" className="button small" data-testid="chosen-not-null" onClick={() => set({ isNullable: false })}>
        Not null
      </button>
      <button type="button" className="button small" data-testid="chosen-index" onClick={() => void editAloud([{ op: 'add_index', table: ref, index: { columns: columns.map(({ name }) => ({ name })) } }])}>
        Index
      </button>
      <button type="button" className="button small" data-testid="chosen-copy" onClick={copy}>
        <Icon name="copy" /> Copy
      </button>
      <button
        type="button"
        className="button small"
        data-testid="chosen-drop"
        onClick={() => {
          onDone()
          each((c) => ({ op: 'drop_column', table: ref, column: refTo(c) }))
        }}
      >
        <Icon name="trash" /> Drop
      </button>
    </div>
  )
}
