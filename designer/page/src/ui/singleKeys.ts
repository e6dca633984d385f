import { home } from '../api/home'
import { createStore, useSelector } from '../store/store'

// Whether a character alone is a shortcut. Who speaks to the computer, or hits
// keys that were not meant, turns these off (WCAG 2.1.4).

const name = 'berth.singleKeys'

export const singleKeys = createStore<{ on: boolean }>({ on: home.read(name) !== 'off' })

export function setSingleKeys(on: boolean): void {
  singleKeys.set({ on })
  home.keep(name, on ? 'on' : 'off')
}

export function useSingleKeys(): boolean {
  return useSelector(singleKeys, (s) => s.on)
}

// isOff reports whether the keys of a shortcut are turned off: those of a
// character alone. Enter, Escape, Delete and arrows are no characters.
export function isOff(keys: string, on = singleKeys.get().on): boolean {
  return !on && keys.length === 1
}
