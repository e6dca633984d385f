import { useEffect, useSyncExternalStore } from 'react'
import { listProjects } from '../../api/designs'
import type { Project } from '../../api/types'
import { onNotice } from '../../store/live'
import { store } from '../../store/state'
import { closeToast, toast } from '../../store/toasts'
import { messageOf } from '../lib/text'
import { failedCount, happenings, remember, type Seen } from './projects'

// The projects are followed for as long as the page is open, so that an
// instance that fails or is taken over is said aloud.

const lookEvery = 10_000

interface Known {
  projects: readonly Project[] | null
  error: string
  reading: boolean
}

let known: Known = { projects: null, error: '', reading: false }
let seen: Seen[] = []
const failed = new Map<string, number>() // the toasts that say so, by project
const listeners = new Set<() => void>()

function set(change: Partial<Known>): void {
  known = { ...known, ...change }
  for (const listener of [...listeners]) listener()
}

// readProjects checks all instances; quietly means that nobody asked for it.
export async function readProjects(quietly = false): Promise<void> {
  if (!quietly) set({ reading: true })
  try {
    const { projects } = await listProjects()
    const before = seen.map((s) => s.project)
    seen = remember(seen, projects, Date.now())
    for (const p of projects) if (p.state === 'live') closeToast(failed.get(p.projectRoot) ?? 0)
    for (const { tone, text, projectRoot } of happenings(before, projects)) {
      const said = toast(tone, text, { sticky: tone === 'warn' })
      if (tone === 'warn') failed.set(projectRoot, said)
    }
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
    // Nothing records that an instance has crashed: it must be checked.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && store.get().online) void readProjects(true)
    }, lookEvery)
    const stop = onNotice((notice) => {
      if (notice.type === 'projects' || notice.type === 'reconnected') void readProjects()
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [])
  return { ...now, failed: failedCount(now.projects ?? []) }
}
