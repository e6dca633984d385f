import type { Refusal } from '../api/edits'

// Blame deals a refusal out to the fields of a form: what it is about is told
// at that field, and everything else below all of them.
export interface Blame {
  at: (member: string) => string | undefined // by the member of the edit that a field writes
  rest: string | undefined
}

// blame takes the members whose fields the form shows now.
export function blame(refusal: Refusal | null, shown: readonly string[]): Blame {
  if (!refusal) return { at: () => undefined, rest: undefined }
  const about = memberOf(refusal.field ?? '')
  const told = shown.includes(about)
  return { at: (member) => (told && member === about ? refusal.message : undefined), rest: told ? undefined : refusal.message }
}

// memberOf is the member that a path within an edit leads to: "mappings" of
// "set.mappings[0].column", but "initialColumns" of "initialColumns[0].name",
// which is not the table's.
function memberOf(path: string): string {
  const [whole = '', member] = path.replaceAll(/\[\d+\]/g, '').split('.')
  return whole === 'initialColumns' ? whole : (member ?? whole)
}
