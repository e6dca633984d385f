// Queries that were run in this tab, by connection, the latest first. They may
// hold what nobody else should read, so they are in its memory alone.
const past = new Map<string, readonly string[]>()
const kept = 50

export function pastOf(connection: string): readonly string[] {
  return past.get(connection) ?? []
}

export function remember(connection: string, query: string): void {
  past.set(connection, [query, ...pastOf(connection).filter((q) => q !== query)].slice(0, kept))
}
