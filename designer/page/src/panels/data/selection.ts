// A rectangle of cells: from where it began to where it was drawn.

export interface Place {
  row: number
  column: number
}

export interface Selection {
  from: Place
  to: Place // has the focus
}

export interface Extent {
  rows: number
  columns: number
}

export function within({ from, to }: Selection, row: number, column: number): boolean {
  return between(row, from.row, to.row) && between(column, from.column, to.column)
}

function between(n: number, a: number, b: number): boolean {
  return n >= Math.min(a, b) && n <= Math.max(a, b)
}

// part takes the cells of a selection out of all.
export function part<T>({ from, to }: Selection, rows: readonly (readonly T[])[]): T[][] {
  return rows
    .slice(Math.min(from.row, to.row), Math.max(from.row, to.row) + 1)
    .map((row) => row.slice(Math.min(from.column, to.column), Math.max(from.column, to.column) + 1))
}

const steps: Record<string, readonly [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] }

// moved is the selection after a key, drawn on while shift is held; null: the
// key moves nothing.
export function moved(selection: Selection, key: string, shift: boolean, { rows, columns }: Extent): Selection | null {
  const step = steps[key]
  if (!step) return null
  const to = { row: clamp(selection.to.row + step[0], rows), column: clamp(selection.to.column + step[1], columns) }
  return { from: shift ? selection.from : to, to }
}

function clamp(n: number, count: number): number {
  return Math.max(0, Math.min(n, count - 1))
}

// wholeRow selects all cells of a row.
export function wholeRow(row: number, columns: number): Selection {
  return { from: { row, column: 0 }, to: { row, column: columns - 1 } }
}
