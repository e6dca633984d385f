import type { Row } from './rows'

// What the keys of a tree do: which row they lead to, or which schema they open
// or close.

export type Step = { to: number } | { schema: string; open: boolean } | null

export function stepOf(key: string, rows: readonly Row[], at: number, page: number): Step {
  const row = rows[at]
  if (!row) return null
  const to = (n: number): Step => ({ to: Math.max(0, Math.min(rows.length - 1, n)) })
  switch (key) {
    case 'ArrowDown':
      return to(at + 1)
    case 'ArrowUp':
      return to(at - 1)
    case 'PageDown':
      return to(at + page)
    case 'PageUp':
      return to(at - page)
    case 'Home':
      return to(0)
    case 'End':
      return to(rows.length - 1)
    case 'ArrowRight':
      if (row.kind === 'table') return null
      return row.open ? to(at + 1) : { schema: row.name, open: true }
    case 'ArrowLeft':
      if (row.kind === 'table') return to(rows.findLastIndex((r, i) => i < at && r.kind === 'schema'))
      return row.open ? { schema: row.name, open: false } : null
  }
  return null
}
