import { useRef, useSyncExternalStore } from 'react'

// A store is one immutable value and who listens to it. Components read a
// slice with useStore and render again only when that slice has changed.

export interface Store<S> {
  get: () => S
  set: (change: Partial<S> | ((state: S) => Partial<S>)) => void
  subscribe: (listener: () => void) => () => void
}

export function createStore<S extends object>(initial: S): Store<S> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      const partial = typeof change === 'function' ? change(state) : change
      if (Object.entries(partial).every(([name, value]) => Object.is(state[name as keyof S], value))) return
      state = { ...state, ...partial }
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

// useSelector reads select(state). Where select makes a new object each time,
// give the comparison that says when two are the same.
export function useSelector<S extends object, T>(store: Store<S>, select: (state: S) => T, same: (a: T, b: T) => boolean = Object.is): T {
  const last = useRef<{ value: T } | null>(null)
  const read = (): T => {
    const value = select(store.get())
    if (last.current && same(last.current.value, value)) return last.current.value
    last.current = { value }
    return value
  }
  return useSyncExternalStore(store.subscribe, read)
}

// shallow compares arrays and plain objects one level deep.
export function shallow<T>(a: T, b: T): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const left = Object.entries(a)
  const right = b as Record<string, unknown>
  return left.length === Object.keys(b).length && left.every(([name, value]) => Object.is(value, right[name]))
}
