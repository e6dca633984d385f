import { useSyncExternalStore } from 'react'

// One clock for all that counts seconds.

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const l of [...listeners]) l()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

// useNow is the time in milliseconds, renewed every second.
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
