let waiting: ReturnType<typeof setTimeout> | undefined

// focusSoon gives the keyboard's focus to what may only be drawn in a moment:
// now, and once more then. The last one asked for has it, unless a person has
// gone elsewhere meanwhile.
export function focusSoon(focus: () => void): void {
  focus()
  const had = document.activeElement
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    if (document.activeElement === had || document.activeElement === document.body) focus()
  }, 30)
}
