import { nextId, store, type Toast } from './state'

const shownFor = 6_000 // ms; twice that where there is something to press

export interface Saying {
  action?: Toast['action']
  sticky?: boolean
  stands?: () => boolean // once it does not, the matter is settled and the toast leaves
}

// toast says something in passing. A bad one stays until it is closed.
export function toast(tone: Toast['tone'], text: string, options: Saying = {}): number {
  const id = nextId()
  const sticky = options.sticky ?? tone === 'bad'
  const fresh: Toast = { id, tone, text, sticky, ...(options.action ? { action: options.action } : {}) }
  store.set((s) => ({ toasts: [...s.toasts.filter((t) => t.text !== text), fresh].slice(-5) }))
  if (!sticky) setTimeout(() => closeToast(id), options.action ? 2 * shownFor : shownFor)
  if (options.stands) watch(id, options.stands)
  return id
}

function watch(id: number, stands: () => boolean): void {
  const stop = store.subscribe(() => {
    if (shows(id) && stands()) return
    stop()
    closeToast(id)
  })
}

const shows = (id: number): boolean => store.get().toasts.some((t) => t.id === id)

export function closeToast(id: number): void {
  if (shows(id)) store.set((s) => ({ toasts: s.toasts.filter((t) => t.id !== id) }))
}
