// The words that are a name only in quotes, by dialect, as designer/DIALECT/reserved.go
// lists them: a bundle and the tests take them from there, so that there is one list.
import { readFileSync } from 'node:fs'

const read = (dialect) => readFileSync(new URL(`../../designer/${dialect}/reserved.go`, import.meta.url), 'utf8')
const lists = /const (?:reservedWords|typeWords) = `([^`]+)`/g
const wordsOf = (dialect) => [...read(dialect).matchAll(lists)].map(([, list]) => list).join(' ').toLowerCase().replaceAll(/\s+/g, ' ')

export const define = {
  RESERVED: JSON.stringify(Object.fromEntries(['sqlite', 'postgres', 'mysql', 'mssql'].map((d) => [d, wordsOf(d)]))),
}
