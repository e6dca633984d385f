import { textWidth } from './measure'
import { wordsOf } from './names'

// Names in little room: folded where words meet, without what many others begin
// with, or cut.

export const sizes = [11, 9] as const // heights of letters that can be read, in pixels of the screen
export const leastLetters = 3 // fewer say nothing

// folded breaks a name into rows that fit, null where it does not.
export function folded(name: string, width: number, height: number, size = 11, line = 13): string[] | null {
  const rows: string[] = []
  for (const word of wordsOf(name)) {
    const last = rows.at(-1)
    if (last !== undefined && textWidth(last + word, size, true) <= width) rows[rows.length - 1] = last + word
    else rows.push(word)
  }
  return rows.length * line <= height && rows.every((row) => textWidth(row, size, true) <= width) ? rows : null
}

// chopped fills rows with the beginning of a name, an ellipsis where it ends too
// early. null: less of it would be left than says something.
export function chopped(name: string, width: number, rows: number, size: number): string[] | null {
  const fits = (text: string): boolean => textWidth(text, size, true) <= width
  const made: string[] = []
  let row = ''
  let [left, at] = [0, 0]
  for (const letter of name) {
    const ends = made.length === rows - 1
    if (ends && !fits(row + name.slice(at)) && !fits(`${row}${letter}…`)) return left < leastLetters ? null : [...made, `${row}…`]
    if (!fits(row + letter)) {
      if (row === '') return null
      made.push(row)
      row = ''
    }
    row += letter
    at += letter.length
    left++
  }
  return rows < 1 || row === '' ? null : [...made, row]
}

const many = 4 // titles that begin alike

// shortTitles leave out the words that many of these titles begin with: forty
// names cut to "athens_…" would all be the same.
export function shortTitles(titles: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>()
  const heads = (title: string): string[] => wordsOf(title).slice(0, -1).map((_, i, words) => words.slice(0, i + 1).join(''))
  for (const title of titles) for (const head of heads(title)) counts.set(head, (counts.get(head) ?? 0) + 1)
  return new Map(titles.map((title) => {
    const shared = heads(title).filter((head) => (counts.get(head) ?? 0) >= many).at(-1) ?? ''
    return [title, title.slice(shared.length)]
  }))
}
