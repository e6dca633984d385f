import type { Id } from './types'

export type Severity = 'error' | 'warning' | 'info'

// Finding is one thing that a rule of docs/lint.md found.
export interface Finding {
  rule: string
  severity: Severity
  tableId?: Id // none: it is of a type, or of the whole design
  schema?: string
  table?: string
  column?: string
  object?: string // the key, index or type it is about, by name
  message: string
  edits?: readonly unknown[] // that settle it, as apply_edits takes them; none: a person has to decide
}

export interface LintReport {
  version: string
  dialect: string
  findings: readonly Finding[]
  notes?: readonly string[]
}
