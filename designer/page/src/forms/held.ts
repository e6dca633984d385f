// A form holds what it showed. While it is open somebody else may change the
// same thing: fields that the person has not touched follow, and where both
// have changed one the form shows both sides and is not saved before the
// person has picked.

// Held is a draft with what it began from.
export interface Held<D extends object> {
  before: D // as the person saw it
  draft: D // as the person wants it
}

// Both is a field that the person and somebody else have changed.
export interface Both<D extends object> {
  field: keyof D
  theirs: D[keyof D]
  mine: D[keyof D]
}

// followed updates the fields that nobody touched here, or where both have come
// to the same. It returns held itself where there is nothing to take over.
export function followed<D extends object>(held: Held<D>, now: D): Held<D> {
  const fields = fieldsOf(now).filter((f) => {
    const { before, draft } = held
    return !same(before[f], now[f]) && (same(draft[f], before[f]) || same(draft[f], now[f]))
  })
  return fields.length === 0 ? held : { before: withFields(held.before, now, fields), draft: withFields(held.draft, now, fields) }
}

// bothOf lists what is left to pick, of a draft that has followed.
export function bothOf<D extends object>(held: Held<D>, now: D): Both<D>[] {
  return fieldsOf(now).flatMap((field) => (same(held.before[field], now[field]) ? [] : [{ field, theirs: now[field], mine: held.draft[field] }]))
}

// picked settles what both have changed: theirs is taken, or the person's own
// side stands.
export function picked<D extends object>(held: Held<D>, now: D, side: 'theirs' | 'mine'): Held<D> {
  const fields = bothOf(held, now).map((b) => b.field)
  return { before: withFields(held.before, now, fields), draft: side === 'theirs' ? withFields(held.draft, now, fields) : held.draft }
}

// touched reports whether the draft says anything else than what it began from.
export function touched<D extends object>({ before, draft }: Held<D>): boolean {
  return fieldsOf(draft).some((f) => !same(before[f], draft[f]))
}

function fieldsOf<D extends object>(of: D): (keyof D)[] {
  return Object.keys(of) as (keyof D)[]
}

function withFields<D extends object>(into: D, from: D, fields: readonly (keyof D)[]): D {
  return { ...into, ...Object.fromEntries(fields.map((f) => [f, from[f]])) }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
