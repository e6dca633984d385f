import { useState } from 'react'
import { home } from '../api/home'
import type { Sized } from '../ui/Resizer'

const key = 'berth.outline.width'
const [least, usual] = [200, 280]

// useSize is the width that a person gave the outline, kept for this browser.
export function useSize(): Sized {
  const [kept, setKept] = useState(() => Number(home.read(key)) || usual)
  const most = Math.max(least, Math.round(innerWidth * 0.45))
  return {
    size: Math.min(most, kept),
    least,
    most,
    resize(size) {
      const next = Math.round(Math.max(least, Math.min(most, size)))
      setKept(next)
      home.keep(key, String(next))
    },
  }
}
