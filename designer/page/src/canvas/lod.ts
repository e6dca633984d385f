import { createContext, useContext } from 'react'

// How much of a table is drawn: all of it, its name, or its name in letters
// that can be read from afar.
export type Detail = 'full' | 'name' | 'far'

export function detailAt(zoom: number): Detail {
  if (zoom >= 0.42) return 'full'
  return zoom >= 0.16 ? 'name' : 'far'
}

export const DetailContext = createContext<Detail>('full')

export function useDetail(): Detail {
  return useContext(DetailContext)
}
