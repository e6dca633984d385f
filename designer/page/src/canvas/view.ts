import type { Id } from '../api/types'

// What other parts of the page can ask of the canvas.

type Reveal = (ids: readonly Id[]) => void

let reveals: Reveal = () => undefined

export function onReveal(run: Reveal): void {
  reveals = run
}

// reveal brings tables into view and selects them.
export function reveal(ids: readonly Id[]): void {
  if (ids.length > 0) reveals(ids)
}
