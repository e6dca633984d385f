import { useEffect, useRef, useState } from 'react'
import { messageOf } from './text'

export interface Resource<T> {
  data: T | null // what was read last, also while it is read again
  error: string // of the last reading; '': none
  loading: boolean
  reload: () => void
}

interface Held<T> {
  key: string
  data: T | null
  error: string
}

// useResource reads something, and reads it again when key changes or reload
// is called. What belongs to another scope is not shown while it loads: scope
// is the first line of key.
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>, delay = 0): Resource<T> {
  const [held, setHeld] = useState<Held<T>>({ key: '', data: null, error: '' })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  const full = `${key}\n#${turn}`
  useEffect(() => {
    const abort = new AbortController()
    const done = (data: T | null, error: string): void => {
      if (!abort.signal.aborted) setHeld((old) => ({ key: full, data: data ?? (scope(old.key) === scope(full) ? old.data : null), error }))
    }
    const timer = setTimeout(() => {
      latest.current(abort.signal).then(
        (data) => done(data, ''),
        (cause: unknown) => done(null, messageOf(cause)),
      )
    }, delay)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [full, delay])
  const ours = scope(held.key) === scope(full)
  return { data: ours ? held.data : null, error: ours ? held.error : '', loading: held.key !== full, reload: () => setTurn((n) => n + 1) }
}

function scope(key: string): string {
  return key.split('\n', 1)[0] ?? ''
}
