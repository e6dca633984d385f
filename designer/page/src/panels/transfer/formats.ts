// The format of a text to import, detected by its file's name or its content.

export type ImportFormat = 'sql' | 'dbml' | 'prisma' | 'json'

export function formatOfName(name: string): ImportFormat | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (extension === 'sql' || extension === 'ddl') return 'sql'
  return extension === 'dbml' || extension === 'prisma' || extension === 'json' ? extension : null
}

// formatOfText guesses the format; null: unknown.
export function formatOfText(text: string): ImportFormat | null {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*|\/\/[^\n]*/g, ' ')
  if (/^\s*\{/.test(bare)) return 'json'
  if (/^[ \t]*(model|datasource|generator)[ \t]+\w+[ \t]*\{/m.test(bare)) return 'prisma'
  if (/\b(create|alter)\s+(or\s+replace\s+)?(temp(orary)?\s+|unlogged\s+)?(table|type|schema|index|unique)\b/i.test(bare)) return 'sql'
  if (/^\s*(table|enum|ref|project|tablegroup|tablepartial)\b[^;]*[{:]/im.test(bare)) return 'dbml'
  return null
}

// dialects are those that SQL may be of.
export const dialects: [id: string, title: string][] = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
  ['mysql', 'MySQL / MariaDB'],
  ['mssql', 'SQL Server'],
]

// decode reads a file's text. A mark at its beginning says that it is in UTF-16,
// as SQL Server Management Studio writes scripts.
export function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

export const biggestText = 4 << 20 // bytes, as the instance takes them

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
