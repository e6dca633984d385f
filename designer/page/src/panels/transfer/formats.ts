// The format of a text to import, detected by its file's name or its content.

export type ImportFormat = 'sql' | 'dbml' | 'json'

export function formatOfName(name: string): ImportFormat | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (extension === 'sql' || extension === 'ddl') return 'sql'
  return extension === 'dbml' || extension === 'json' ? extension : null
}

// formatOfText guesses the format; null: unknown.
export function formatOfText(text: string): ImportFormat | null {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*|\/\/[^\n]*/g, ' ')
  if (/^\s*\{/.test(bare)) return 'json'
  if (/\b(create|alter)\s+(or\s+replace\s+)?(temp(orary)?\s+|unlogged\s+)?(table|type|schema|index|unique)\b/i.test(bare)) return 'sql'
  if (/^\s*(table|enum|ref|project|tablegroup|tablepartial)\b[^;]*[{:]/im.test(bare)) return 'dbml'
  return null
}

export const biggestText = 4 << 20 // bytes, as the instance takes them

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
