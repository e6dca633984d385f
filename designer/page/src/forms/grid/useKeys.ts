import { useState } from 'react'
import type { Column, Id } from '../../api/types'
import { isInvented } from '../../store/apply'

// useKeys gives each column the same React key for as long as it is shown, also
// when the instance names one that was shown under an invented id: its row must
// not lose the focus then.
export function useKeys(columns: readonly Column[]): (c: Column) => string {
  const [keys] = useState(() => new Map<Id, string>())
  const [waiting] = useState(() => new Map<string, string>()) // name → key of invented ones
  return (c) => {
    const key = keys.get(c.id) ?? (columns.includes(c) && !isInvented(c.id) ? waiting.get(c.name) : undefined) ?? c.id
    if (isInvented(c.id)) waiting.set(c.name, key)
    else waiting.delete(c.name)
    keys.set(c.id, key)
    return key
  }
}
