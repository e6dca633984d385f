// RESERVED are the words of each dialect that are a name only in quotes, put in
// when this is built: see reserved.mjs.
declare const RESERVED: Record<string, string>

let words: Map<string, Set<string>> | undefined // read when it is first asked for

function isWord(dialect: string, name: string): boolean {
  words ??= new Map(Object.entries(RESERVED).map(([of, list]) => [of, new Set(list.split(' '))]))
  return words.get(dialect)?.has(name) ?? false
}

// quoted is a name as SQL takes it: in quotes where the dialect has it as a
// word, or where it is more than lower-case letters, which need none anywhere.
export function quoted(dialect: string, name: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !isWord(dialect, name)) return name
  if (dialect === 'mysql') return `\`${name.replaceAll('`', '``')}\``
  return dialect === 'mssql' ? `[${name.replaceAll(']', ']]')}]` : `"${name.replaceAll('"', '""')}"`
}
