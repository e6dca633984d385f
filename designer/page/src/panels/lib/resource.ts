import { useEffect, useRef, useState } from 'react'
import { Offline } from '../../api/http'
import { useStore } from '../../store/state'
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
  unreached: boolean // the instance did not answer
}

const again = 1000 // ms until an instance that did not answer is asked again

// useResource reads something, and reads it again when key changes, when reload
// is called, and while the page is online but had no answer: a request may be
// lost in the moment in which the instance ends or comes back. What belongs to another scope is not shown while it loads: scope
// is the first line of key.
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>, delay = 0): Resource<T> {
  const [held, setHeld] = useState<Held<T>>({ key: '', data: null, error: '', unreached: false })
  const [turn, setTurn] = useState(0)
  const online = useStore((s) => s.online)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  const full = `${key}\n#${turn}`
  useEffect(() => {
    const abort = new AbortController()
    const done = (data: T | null, error: string, unreached: boolean): void => {
      if (!abort.signal.aborted) setHeld((old) => ({ key: full, data: data ?? (scope(old.key) === scope(full) ? old.data : null), error, unreached }))
    }
    const timer = setTimeout(() => {
      latest.current(abort.signal).then(
        (data) => done(data, '', false),
        (cause: unknown) => done(null, messageOf(cause), cause instanceof Offline),
      )
    }, delay)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [full, delay])
  const lost = online && held.unreached && held.key === full
  useEffect(() => {
    if (!lost) return
    const timer = setTimeout(() => setTurn((n) => n + 1), again)
    return () => clearTimeout(timer)
  }, [lost])
  const ours = scope(held.key) === scope(full)
  return { data: ours ? held.data : null, error: ours ? held.error : '', loading: held.key !== full, reload: () => setTurn((n) => n + 1) }
}

function scope(key: string): string {
  return key.split('\n', 1)[0] ?? ''
}
