import type { SyncState } from '../api/types'
import type { Seen } from '../store/sight'
import { syncWords } from '../ui/syncWords'

// How the badge words the state of a design, and how old that knowledge is.

export interface Standing {
  text: string
  age: string
  title: string
  unsure: boolean // it may no longer be so
}

interface Known {
  sync: SyncState
  count: number | null // changes proposed; null: not known yet
  seen: Seen | null
  online: boolean
  now: number
}

// The page asks every few seconds; what is older than this is a memory.
const old = 30_000 // ms

export function standing({ sync, count, seen, online, now }: Known): Standing {
  const meaning = {
    synced: 'The design and the database agree.',
    proposed: 'These changes are in the design only. The database is untouched until you publish.',
    drifted: 'The database was changed where the design was changed too. Open Changes to choose.',
  }[sync]
  const text = sync === 'proposed' && count !== null ? `${syncWords.proposed} ${count}` : syncWords[sync]
  const at = seen?.seenAt ?? null
  const age = at === null ? 'not read yet' : `read ${since(now - at)}`
  const unsure = !online || (seen !== null && (seen.problem !== '' || at === null || now - at > old))
  const title = [meaning, known(seen, now), online ? '' : 'The instance does not answer.', seen?.problem ? `It cannot be looked at now: ${seen.problem}.` : '']
  return { text, age, unsure, title: title.filter(Boolean).join(' ') }
}

// known says what the age means.
function known(seen: Seen | null, now: number): string {
  if (!seen || seen.seenAt === null) return 'The database has not been read since this page was opened.'
  const whole = seen.readAt === null ? '' : ` It was read whole ${since(now - seen.readAt)}.`
  return `The database was compared ${since(now - seen.seenAt)}, and is compared every few seconds while this page is seen.${whole}`
}

// since writes an age: "now", "12 s ago", "3 min ago".
export function since(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 5) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}
