import { useLayoutEffect, useState, type RefObject } from 'react'

const spare = 6 // rows beyond each edge of what is seen

export interface Window {
  first: number
  last: number // not of it any more
  page: number // rows that are seen at once
  bring: (index: number) => void // scrolls as little as shows a row
}

// useWindow is the part of a long list that is seen in its scrolled element,
// whose rows all have one height. Only these are rendered.
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, height: number): Window {
  const [seen, setSeen] = useState({ first: 0, rows: 40 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = (): void => {
      const next = { first: Math.floor(element.scrollTop / height), rows: Math.ceil(element.clientHeight / height) }
      setSeen((old) => (old.first === next.first && old.rows === next.rows ? old : next))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller, count, height])
  return {
    first: Math.max(0, seen.first - spare),
    last: Math.min(count, seen.first + seen.rows + 1 + spare),
    page: Math.max(1, seen.rows - 2),
    bring(index) {
      const element = scroller.current
      if (!element || index < 0) return
      const [top, bottom] = [index * height, (index + 1) * height]
      if (top < element.scrollTop) element.scrollTo({ top })
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTo({ top: bottom - element.clientHeight })
    },
  }
}
