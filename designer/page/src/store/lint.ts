import type { Finding, LintReport } from '../api/lint'
import type { Id } from '../api/types'

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
