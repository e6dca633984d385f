import { textWidth } from './measure'

// Names in the room of a table, where they stand for all of it.

const sizes = Array.from({ length: 24 }, (_, i) => 48 * 0.945 ** i)
const smallest = 13
const lineHeight = 1.15
const pad = 6

// wordsOf splits a name where it may be broken: after a separator, and where
// a capital begins a word.
export function wordsOf(name: string): string[] {
  return name.split(/(?<=[_.\- ])(?=[^_.\- ])|(?<=[a-z0-9])(?=[A-Z])/)
}

// lettersFor is the greatest size at which a name fits without a word being
// broken; the smallest one if there is none.
export function lettersFor(name: string, width: number, height: number): number {
  const words = wordsOf(name).map((word) => textWidth(word, 1, true))
  const fits = (size: number): boolean => {
    const room = (width - 2 * pad) / size
    const rows = rowsOf(words, room)
    return rows !== null && rows * lineHeight * size <= height - pad
  }
  return sizes.find(fits) ?? smallest
}

// rowsOf counts the rows that words take, null where one is too wide.
function rowsOf(words: readonly number[], room: number): number | null {
  let [rows, used] = [1, 0]
  for (const width of words) {
    if (width > room) return null
    if (used + width > room) [rows, used] = [rows + 1, 0]
    used += width
  }
  return rows
}
