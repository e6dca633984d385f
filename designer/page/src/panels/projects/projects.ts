import type { Project } from '../../api/types'

// What a new reading of the port map tells that is worth saying aloud.

export interface Happened {
  projectRoot: string
  tone: 'info' | 'warn'
  text: string
}

export function nameOf(project: Pick<Project, 'projectRoot'>): string {
  return project.projectRoot.split(/[\\/]/).findLast((part) => part !== '') ?? project.projectRoot
}

// happenings compares two readings. What has just come or gone in good order
// is not worth a word.
export function happenings(before: readonly Project[], after: readonly Project[]): Happened[] {
  const out: Happened[] = []
  for (const now of after) {
    const was = before.find((p) => p.projectRoot === now.projectRoot)
    if (was?.state !== 'live') continue
    const { projectRoot } = now
    if (now.state === 'stale') out.push({ projectRoot, tone: 'warn', text: `The instance of ${nameOf(now)} has failed: nothing answers on port ${now.port} any more.` })
    else if (now.state === 'not answering') out.push({ projectRoot, tone: 'warn', text: `The instance of ${nameOf(now)} has stopped answering on port ${now.port}.` })
    else if (now.state === 'squatted') out.push({ projectRoot, tone: 'warn', text: `Something else answers on the port of ${nameOf(now)}, ${now.port}.` })
    else if (was.pid != null && now.pid != null && was.pid !== now.pid) {
      const version = now.version && now.version !== was.version ? ` (version ${now.version})` : ''
      out.push({ projectRoot, tone: 'info', text: `A new instance serves ${nameOf(now)} now${version}.` })
    }
  }
  return out
}

// Seen is a project as it was when it was last in a list.
export interface Seen {
  project: Project
  at: number // milliseconds since 1970
}

// handover is how long, in milliseconds, a project may be in no list between
// one instance and the next that takes over from it.
const handover = 10_000

// remember keeps what a new reading is compared with: the last one, and what
// has gone from the lists only just now.
export function remember(seen: readonly Seen[], reading: readonly Project[], now: number): Seen[] {
  const gone = seen.filter((s) => now - s.at < handover && !reading.some((p) => p.projectRoot === s.project.projectRoot))
  return [...reading.map((project) => ({ project, at: now })), ...gone]
}

// sorted puts this project first, then what runs, then by name.
export function sorted(projects: readonly Project[]): Project[] {
  const rank = (p: Project): number => (p.self ? 0 : p.state === 'live' ? 1 : 2)
  return [...projects].sort((a, b) => rank(a) - rank(b) || nameOf(a).localeCompare(nameOf(b)) || a.projectRoot.localeCompare(b.projectRoot))
}

export function failedCount(projects: readonly Project[]): number {
  return projects.filter((p) => p.state !== 'live').length
}
