import type { Edit } from '../api/edits'
import { fullName, type Design } from '../store/design'
import { editAloud } from '../store/queue'
import { store, type Form } from '../store/state'
import { undoOf } from '../store/steps'
import { useSelector } from '../store/store'
import { toast } from '../store/toasts'
import { Confirm } from '../ui/Confirm'
import { isUnsaved } from '../ui/unsaved'
import { removing, type Removal } from './removing'

// RemoveDialog asks before tables or relations are dropped from the design.
export function RemoveDialog() {
  const removal = useSelector(removing, (s) => s.removal)
  const seen = useSelector(removing, (s) => s.seen)
  if (!removal || !seen) return null
  const { title, text, action, edits, done } = wordsOf(removal, seen)
  return (
    <Confirm
      title={title}
      text={`${text} The database keeps what it has until you publish, and you can undo this.`}
      action={action}
      onAnswer={(yes) => {
        removing.set({ removal: null, seen: null })
        if (!yes) return
        store.set(({ form }) => ({ selected: new Set(), selectedKey: null, form: isUnsaved() || !isOf(form, removal) ? form : null }))
        void editAloud(edits, seen).then((outcome) => {
          if (outcome.success && removal.kind === 'key') toast('info', `${done}.`, undoOf(outcome.version))
        })
      }}
    />
  )
}

function isOf(form: Form | null, removal: Removal): boolean {
  return removal.kind === 'tables' && form?.table != null && removal.ids.includes(form.table)
}

function wordsOf(removal: Removal, design: Design): { title: string; text: string; action: string; edits: Edit[]; done: string } {
  if (removal.kind === 'key') {
    const table = design.tables.get(removal.table)
    const name = table?.foreignKeys?.find((k) => k.id === removal.key)?.name ?? 'without a name'
    const edits: Edit[] = [{ op: 'drop_foreign_key', table: { id: removal.table }, foreignKey: { id: removal.key } }]
    const key = `foreign key ${name} of ${table ? fullName(table) : ''}`
    return { title: 'Drop foreign key', text: `F${key.slice(1)} is dropped from the design.`, action: 'Drop', edits, done: `Dropped ${key}` }
  }
  const tables = removal.ids.flatMap((id) => design.tables.get(id) ?? [])
  const names = tables.slice(0, 5).map(fullName).join(', ') + (tables.length > 5 ? ` and ${tables.length - 5} more` : '')
  const pointing = [...design.tables.values()].flatMap((t) =>
    removal.ids.includes(t.id) ? [] : (t.foreignKeys ?? []).filter((k) => k.refTable !== undefined && removal.ids.includes(k.refTable)),
  ).length
  const also = pointing === 0 ? '' : ` ${pointing} foreign ${pointing === 1 ? 'key that points at it goes' : 'keys that point there go'} too.`
  const one = tables.length === 1
  return {
    title: one ? 'Drop table' : `Drop ${tables.length} tables`,
    text: `${names} ${one ? 'is' : 'are'} dropped from the design.${also}`,
    action: one ? 'Drop table' : `Drop ${tables.length} tables`,
    edits: tables.map((t): Edit => ({ op: 'drop_table', table: { id: t.id } })),
    done: `Dropped ${names}`,
  }
}
