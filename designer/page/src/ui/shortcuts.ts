import { useEffect, useRef, useSyncExternalStore } from 'react'
import { isOff, useSingleKeys } from './singleKeys'

// Keyboard shortcuts, each registered by what it belongs to, so that the help
// sheet lists what there is. A key without a modifier only looks, or asks: words
// that were meant for a field that is not there must change nothing.

export interface Shortcut {
  keys: string // "mod+z", "shift+mod+z", "?", "Delete"; mod is Ctrl, and Cmd on a Mac
  does: string // in words, for the help sheet
  run: () => void
  typing?: boolean // also while a text field has the focus
}

let all: readonly Shortcut[] = []
const listeners = new Set<() => void>()
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function useShortcut(keys: string, does: string, run: () => void, options: { typing?: boolean } = {}): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  const typing = options.typing ?? false
  useEffect(() => {
    const shortcut: Shortcut = { keys, does, typing, run: () => latest.current() }
    change([...all, shortcut])
    return () => change(all.filter((s) => s !== shortcut))
  }, [keys, does, typing])
}

function change(next: readonly Shortcut[]): void {
  all = next
  for (const listener of listeners) listener()
}

export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )
}

// keysOf is how a key press is written as the keys of a Shortcut. With Alt the
// key counts, not the character that it writes on a Mac.
export function keysOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey
  const letter = event.altKey ? /^Key([A-Z])$/.exec(event.code)?.[1] : undefined
  const written = letter ?? event.key
  const key = written.length === 1 ? written.toLowerCase() : written
  const shifted = event.shiftKey && (mod || key.length > 1) // "?" needs its shift to be one
  return [shifted && 'shift', event.altKey && 'alt', mod && 'mod', key].filter(Boolean).join('+')
}

export function inTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

// On the document: an editor that shows the page listens at the window, where it
// takes Ctrl+Z and Ctrl+F from what hears them later, and answers every key that
// it hears. What is pressed with Ctrl or Alt and done here, it does not hear.
document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented) return
  const keys = keysOf(event)
  const typing = inTextField(event.target)
  const found = all.findLast((s) => s.keys === keys && (!typing || s.typing === true) && !isOff(keys))
  if (!found || document.querySelector('dialog[open]')) return
  event.preventDefault()
  if (event.ctrlKey || event.metaKey || event.altKey) event.stopPropagation()
  found.run()
})

export function showKeys(keys: string): string {
  const names: Record<string, string> = { mod: isMac ? '⌘' : 'Ctrl', shift: isMac ? '⇧' : 'Shift', alt: isMac ? '⌥' : 'Alt', ' ': 'Space' }
  const parts = keys === '+' ? [keys] : keys.split('+')
  return parts
    .map((k) => names[k] ?? (k.length === 1 ? k.toUpperCase() : k))
    .join(isMac ? '' : '+')
}

// useHint says what a button does, and its keys unless they are turned off.
export function useHint(): (label: string, keys: string) => string {
  const on = useSingleKeys()
  return (label, keys) => (isOff(keys, on) ? label : `${label} (${showKeys(keys)})`)
}
