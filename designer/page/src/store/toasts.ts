import { nextId, store, type Toast } from './state'

const shownFor = 6_000 // ms; twice that where there is something to press

// toast says something in passing. A bad one stays until it is closed.
export function toast(tone: Toast['tone'], text: string, options: { action?: Toast['action']; sticky?: boolean } = {}): number {
  const id = nextId()
  const sticky = options.sticky ?? tone === 'bad'
  const fresh: Toast = { id, tone, text, sticky, ...(options.action ? { action: options.action } : {}) }
  store.set((s) => ({ toasts: [...s.toasts.filter((t) => t.text !== text), fresh].slice(-5) }))
  if (!sticky) setTimeout(() => closeToast(id), options.action ? 2 * shownFor : shownFor)
  return id
}

export function closeToast(id: number): void {
  store.set((s) => ({ toasts: s.toasts.filter((t) => t.id !== id) }))
}
