import { useEffect, useSyncExternalStore } from 'react'
import { listProjects } from '../../api/designs'
import type { Project } from '../../api/types'
import { onNotice } from '../../store/live'
import { toast } from '../../store/toasts'
import { messageOf } from '../lib/text'
import { failedCount, happenings } from './projects'

// The projects are followed for as long as the page is open, so that an
// instance that fails or is taken over is said aloud.

interface Known {
  projects: readonly Project[] | null
  error: string
  reading: boolean
}

let known: Known = { projects: null, error: '', reading: false }
const listeners = new Set<() => void>()

function set(change: Partial<Known>): void {
  known = { ...known, ...change }
  for (const listener of [...listeners]) listener()
}

export async function readProjects(): Promise<void> {
  set({ reading: true })
  try {
    const { projects } = await listProjects()
    for (const { tone, text } of happenings(known.projects ?? [], projects)) toast(tone, text, { sticky: tone === 'warn' })
    set({ projects, error: '', reading: false })
  } catch (cause) {
    set({ error: messageOf(cause), reading: false })
  }
}

export function useProjects(): Known & { failed: number } {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => known,
  )
  useEffect(() => {
    if (known.projects === null && !known.reading) void readProjects() // what later readings are compared with
    return onNotice((notice) => {
      if (notice.type === 'projects' || notice.type === 'reconnected') void readProjects()
    })
  }, [])
  return { ...now, failed: failedCount(now.projects ?? []) }
}
