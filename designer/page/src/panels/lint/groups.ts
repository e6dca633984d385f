import type { Finding, Severity } from '../../api/lint'

// Group is what one rule found, in the order in which the instance lists it:
// the gravest first.
export interface Group {
  rule: string
  severity: Severity
  findings: readonly Finding[]
}

export function groupsOf(findings: readonly Finding[]): readonly Group[] {
  const groups = new Map<string, { rule: string; severity: Severity; findings: Finding[] }>()
  for (const finding of findings) {
    const { rule, severity } = finding
    const key = `${severity} ${rule}`
    const group = groups.get(key) ?? { rule, severity, findings: [] }
    group.findings.push(finding)
    groups.set(key, group)
  }
  return [...groups.values()]
}

// placeOf names what a finding is about: "album.artist_id".
export function placeOf({ schema, table, column, object }: Finding, defaultSchema: string): string {
  if (table === undefined) return object ?? 'the design'
  const name = schema && schema !== defaultSchema ? `${schema}.${table}` : table
  return column === undefined ? name : `${name}.${column}`
}

const words: Record<string, string> = {
  add_index: 'Add index',
  drop_index: 'Drop index',
  add_foreign_key: 'Add foreign key',
  drop_foreign_key: 'Drop foreign key',
  set_foreign_key: 'Change foreign key',
  set_column: 'Change column',
  drop_type: 'Drop type',
}

// settling says what the edits of a finding do; '': there are none.
export function settling({ edits = [] }: Finding): string {
  if (edits.length === 0) return ''
  const ops = edits.map((e) => (typeof e === 'object' && e !== null && 'op' in e && typeof e.op === 'string' ? e.op : ''))
  const meant = ops.includes('set_column') ? 'set_column' : ops[0] // what is dropped around it is made again
  return words[meant ?? ''] ?? 'Settle it'
}
