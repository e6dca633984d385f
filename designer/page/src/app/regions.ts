// The page's parts, between which F6 goes, as in an editor: with a thousand
// tables on the canvas, Tab alone would take a while to get to the panels.

const parts = ['.topbar', '.outline', '.stage', '.editor', '#side-panel', '.tabs']
const focusable = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

// nextRegion gives the keyboard's focus to the next part, or with -1 to the
// one before. On the canvas that is the table that is selected, if any.
export function nextRegion(by: 1 | -1): void {
  const there = parts.flatMap((p) => document.querySelector<HTMLElement>(p) ?? [])
  const at = there.findIndex((part) => part.contains(document.activeElement))
  const from = at < 0 && by < 0 ? 0 : at
  for (let i = 1; i <= there.length; i++) {
    const part = there[(from + by * i + there.length * 2) % there.length]
    const target = part?.querySelector<HTMLElement>('.table.selected') ?? part?.querySelector<HTMLElement>('.table[tabindex="0"]') ?? part?.querySelector<HTMLElement>(focusable)
    if (!target) continue
    target.focus()
    return
  }
}
