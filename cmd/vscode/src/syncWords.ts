const words: Record<string, string> = { synced: 'In sync', proposed: 'Proposed', drifted: 'Drifted' }

// syncWords is how a design stands to its database, as the page words it; '':
// no design is open.
export function syncWords(state: string): string {
  return words[state] ?? state
}
