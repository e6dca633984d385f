// watchForTouch watches the canvas until what it returns is called, which
// reports whether anybody pressed a key or a pointer there meanwhile.
export function watchForTouch(): () => boolean {
  let touched = false
  const note = ({ target }: Event): void => {
    touched ||= target instanceof Element && target.closest('.canvas') !== null
  }
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, note, true)
  return () => {
    for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, note, true)
    return touched
  }
}
