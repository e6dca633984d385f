import { useEffect } from 'react'
import type { Id } from '../api/types'
import { openForm } from '../store/actions'
import { store, useStore } from '../store/state'
import { isUnsaved } from '../ui/unsaved'

// useFollow shows the table that is selected on the canvas, once another one
// is, in the editor that is open on table; not while something is typed there.
export function useFollow(table: Id): void {
  const only = useStore((s) => (s.selected.size === 1 ? [...s.selected][0] : undefined))
  useEffect(() => {
    const { form, design } = store.get()
    if (only === undefined || only === table || form?.kind !== 'table' || !design?.tables.has(only) || isUnsaved()) return
    const section = form.table === null ? undefined : form.section
    openForm({ kind: 'table', table: only, ...(section ? { section } : {}) })
  }, [only]) // eslint-disable-line react-hooks/exhaustive-deps -- what was opened for a table that is not selected stays
}
