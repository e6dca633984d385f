import type { Finding, LintReport } from '../api/lint'
import type { ForeignKey, Id, Table } from '../api/types'
import { columnById } from './design'

// What lint last said of the design, for its panel and for quiet marks on the
// canvas.
export interface Lint {
  connection: string // that was looked at; '': none yet
  report: LintReport | null
  error: string // why there is none; '': no error
  flagged: ReadonlyMap<Id, readonly Finding[]> // by table, without matters of taste
}

export const noLint: Lint = { connection: '', report: null, error: '', flagged: new Map() }

// isGrave says whether a finding is more than a matter of taste or of size.
export function isGrave({ severity }: Finding): boolean {
  return severity !== 'info'
}

export function graveOf(report: LintReport | null): readonly Finding[] {
  return report?.findings.filter(isGrave) ?? []
}

export function flaggedIn(report: LintReport): ReadonlyMap<Id, readonly Finding[]> {
  const flagged = new Map<Id, Finding[]>()
  for (const finding of graveOf(report)) {
    const { tableId } = finding
    if (tableId !== undefined) flagged.set(tableId, [...(flagged.get(tableId) ?? []), finding])
  }
  return flagged
}

const nothing: Lint['flagged'] = new Map()

// flaggedNow are the marks of the design that is shown.
export function flaggedNow({ lint, connection }: { lint: Lint; connection: string }): Lint['flagged'] {
  return lint.connection === connection ? lint.flagged : nothing
}

// unindexedIn is the same, by the key's id, among the marks of a design.
export function unindexedIn(flagged: Lint['flagged'], table: Table, key: Id): Finding | undefined {
  const found = flagged.get(table.id)
  const foreignKey = found && table.foreignKeys?.find((k) => k.id === key)
  return foreignKey && unindexed(found, table, foreignKey)
}

// unindexed is the finding that a foreign key has no index, among those of its
// table. A key may have no name; of one column a finding names that.
export function unindexed(found: readonly Finding[] | undefined, table: Table, { name = '', mappings }: ForeignKey): Finding | undefined {
  if (!found) return undefined
  const only = mappings.length === 1 ? columnById(table, mappings[0]?.column)?.name : undefined
  return found.find((f) => f.rule === 'unindexed-foreign-key' && (f.object ?? '') === name && f.column === only)
}
