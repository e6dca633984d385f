import { useEffect, useState } from 'react'
import { getJson } from '../api/http'
import { useStore } from './state'

// useProposed is how many changes the design proposes to its database; null:
// not known yet.
export function useProposed(): number | null {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version)
  const sync = useStore((s) => s.confirmed?.sync)
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    if (!version || sync === 'synced') return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      getJson<{ count: number }>(`/designs/${encodeURIComponent(connection)}/changes`, abort.signal)
        .then((reply) => setCount(reply.count))
        .catch(() => setCount(null)) // the badge does without its number
    }, 150)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [connection, version, sync])
  return sync === 'synced' ? 0 : count
}
