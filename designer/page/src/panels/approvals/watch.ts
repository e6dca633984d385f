import { useEffect, useSyncExternalStore } from 'react'
import { home } from '../../api/home'
import type { Notice } from '../../api/notices'
import type { Approval } from '../../api/types'
import { openPanel } from '../../store/actions'
import { onNotice } from '../../store/live'
import { store, useStore } from '../../store/state'
import { closeToast, toast } from '../../store/toasts'
import { decideApproval, listApprovals, undoEdit } from '../lib/api'
import { messageOf } from '../lib/text'
import { arrived, emptyQueue, nameOfProject, pageTitle, pendingCount, reduce, waiting, type Happening, type Queue } from './approvals'

// The queue is kept for as long as the page is open, whether its panel is shown
// or not: the tab, the window's title and a toast announce what waits.

let queue: Queue = emptyQueue
const listeners = new Set<() => void>()

// announced are the toasts that ask a person to look, by the plan's id.
const announced = new Map<string, number>()

function take(happening: Happening): void {
  queue = reduce(queue, happening)
  withdraw()
  for (const listener of [...listeners]) listener()
}

export async function readQueue(): Promise<void> {
  const before = queue
  try {
    const { approvals } = await listApprovals()
    take({ kind: 'read', entries: approvals })
    for (const entry of arrived(before, queue, Date.now())) announce(entry)
  } catch (cause) {
    take({ kind: 'failed', error: messageOf(cause) })
  }
}

function announce(entry: Approval): void {
  if (home.announces || store.get().panel === 'approvals') return // it is said, or in sight
  announced.set(entry.id, toast('warn', `Waits for you: ${entry.title}`, { sticky: true, action: { label: 'Look', run: () => openPanel('approvals') } }))
}

// withdraw closes the toasts of what no longer waits, or of all once the panel
// shows them.
function withdraw(): void {
  const inSight = store.get().panel === 'approvals'
  for (const [plan, shown] of announced) {
    if (!inSight && queue.entries.some((e) => e.id === plan && waiting(e, Date.now()))) continue
    announced.delete(plan)
    closeToast(shown)
  }
}

// decide sends a person's decision, with what they typed for it, and says what
// became of it.
export async function decide(entry: Approval, decision: 'approve' | 'reject', typed = ''): Promise<void> {
  if (queue.deciding.has(entry.id)) return
  take({ kind: 'deciding', id: entry.id, decision })
  try {
    take({ kind: 'decided', entry: await decideApproval(entry.id, decision, typed) })
  } catch (cause) {
    take({ kind: 'refused', id: entry.id })
    toast('bad', messageOf(cause))
    void readQueue()
  }
}

export function useQueue(): Queue {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => queue,
  )
}

// usePending follows the queue, keeps the window's title, and counts what
// waits.
export function usePending(): number {
  const now = useQueue()
  const root = useStore((s) => s.projectRoot)
  const pending = pendingCount(now)
  const panel = useStore((s) => s.panel)
  useEffect(withdraw, [panel])
  useEffect(() => {
    void readQueue()
    return onNotice((notice) => {
      if (notice.type === 'approvals' || notice.type === 'reconnected') void readQueue()
      else if (notice.type === 'file_edited') announceEdit(notice)
      else if (notice.type === 'file_stale') toast('warn', `${notice.path} has changed since the agent read it.`)
    })
  }, [])
  useEffect(() => {
    document.title = pageTitle(pending, nameOfProject(root))
  }, [pending, root])
  useEffect(() => {
    const next = Math.min(...now.entries.filter((e) => e.state === 'pending').map((e) => Date.parse(e.expires) - Date.now()))
    if (!Number.isFinite(next)) return
    const timer = setTimeout(() => void readQueue(), Math.max(1_000, Math.min(next + 500, 3_600_000)))
    return () => clearTimeout(timer)
  }, [now])
  return pending
}

// announceEdit says that an agent edited a file. What fast mode wrote without
// asking can be taken back here.
function announceEdit({ path, additions, deletions, fast, editId }: Extract<Notice, { type: 'file_edited' }>): void {
  if (home.announces && fast) return
  const action = editId ? { action: { label: 'Undo', run: () => void undo(editId, path) } } : {}
  toast('info', `AI edited ${baseName(path)} (+${additions} −${deletions})`, action)
}

async function undo(id: string, path: string): Promise<void> {
  try {
    const { state } = await undoEdit(id)
    if (state === 'undone') toast('good', `${path} is what it was before.`)
    else toast('warn', `${path} has been changed since, so nothing was undone.`)
  } catch (cause) {
    toast('bad', messageOf(cause))
  }
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path
}
