import { useState } from 'react'
import { home } from '../api/home'
import type { Sized } from './Resizer'

// Where a person has the editor, kept for this browser.

export type Place = 'below' | 'side'

export interface Docked extends Sized {
  place: Place
  turn: () => void
}

const key = 'berth.editor'
const least: Record<Place, number> = { below: 180, side: 360 }
const usual: Record<Place, number> = { below: 350, side: 620 }

type Kept = { place: Place } & Record<Place, number>

export function useDock(): Docked {
  const [kept, setKept] = useState(read)
  const { place } = kept
  const most = Math.max(least[place], place === 'below' ? innerHeight - 260 : innerWidth - 420)
  const change = (part: Partial<Kept>): void => {
    const next = { ...kept, ...part }
    setKept(next)
    home.keep(key, JSON.stringify(next))
  }
  return {
    place,
    size: Math.min(most, kept[place]),
    least: least[place],
    most,
    turn: () => change({ place: place === 'below' ? 'side' : 'below' }),
    resize: (size) => change({ [place]: Math.round(Math.max(least[place], Math.min(most, size))) }),
  }
}

function read(): Kept {
  try {
    const { place, below, side } = JSON.parse(home.read(key) ?? '{}') as Partial<Kept>
    return { place: place === 'side' ? 'side' : 'below', below: Number(below) || usual.below, side: Number(side) || usual.side }
  } catch {
    return { place: 'below', ...usual }
  }
}
