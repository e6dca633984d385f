import { MSSQL, MySQL, PostgreSQL, SQLite, StandardSQL, type SQLDialect } from '@codemirror/lang-sql'
import { classHighlighter, highlightCode } from '@lezer/highlight'

// SQL in colours without an editor: spans with the classes of theme, for
// statements that are short. Long scripts take ScriptView, which draws only
// what is seen.

export interface Span {
  text: string
  style: string // classes "tok-keyword …"; '': none
}

const dialects: Record<string, SQLDialect> = { postgres: PostgreSQL, mysql: MySQL, mariadb: MySQL, mssql: MSSQL, sqlite: SQLite }

export function dialectOf(name: string): SQLDialect {
  return dialects[name] ?? StandardSQL
}

// sqlLines splits a script into lines of coloured spans. Nothing is left out:
// the texts joined are the script.
export function sqlLines(script: string, dialect: string): Span[][] {
  const lines: Span[][] = [[]]
  highlightCode(
    script,
    dialectOf(dialect).language.parser.parse(script),
    classHighlighter,
    (text, style) => lines.at(-1)?.push({ text, style }),
    () => lines.push([]),
  )
  return lines
}
