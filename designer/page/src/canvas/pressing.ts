import { inTextField } from '../ui/shortcuts'

// isPlain reports whether a press is on neither a field nor a button, which
// have it for themselves.
export function isPlain(target: EventTarget): boolean {
  return !inTextField(target) && target instanceof Element && target.closest('button') === null
}
