import { useEffect } from 'react'
import { useStore } from '../../store/state'

// useLook looks at the design that is shown, again where it has rested for so
// many milliseconds since an edit, where the instance is back, and with each
// turn. look is a function of a module; it is told when its answer comes too late.
export function useLook(rest: number, look: (connection: string, signal: AbortSignal) => Promise<void>, turn = 0): void {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const online = useStore((s) => s.online)
  useEffect(() => {
    if (version === '' || !online) return
    const abort = new AbortController()
    const timer = setTimeout(() => void look(connection, abort.signal), rest)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [connection, version, online, rest, look, turn])
}
