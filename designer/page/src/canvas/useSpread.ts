import { useEffect, useLayoutEffect } from 'react'
import type { Table } from '../api/types'
import { store, useStore } from '../store/state'
import { letThrough } from './filter'
import { fillSpread, spreadFirst } from './spread'

// useSpread has a place for every table that comes into a view.
export function useSpread(shown: readonly Table[]): void {
  const loaded = useStore((s) => s.layoutLoaded)
  const ranked = useStore((s) => s.filter.ranked)
  useLayoutEffect(() => {
    if (loaded && ranked) void spreadFirst()
  }, [loaded, ranked])
  useLayoutEffect(fillSpread, [shown])
  useMarked()
}

// useMarked brings what others change into the view that a large design began
// with: nobody chose to leave it out.
function useMarked(): void {
  const marks = useStore((s) => s.marks)
  useEffect(() => {
    const { design, filter } = store.get()
    const hidden = [...marks.keys()].filter((id) => filter.ranked?.rest.has(id) && !filter.also.has(id) && !filter.hidden.has(id))
    if (design && hidden.length > 0) store.set({ filter: letThrough(design, filter, hidden) })
  }, [marks])
}
