import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Finding } from '../api/lint'
import type { Table } from '../api/types'
import { settling } from '../panels/lint/groups'
import { openPanel } from '../store/actions'
import { fullName } from '../store/design'
import { settle } from '../store/settle'
import { useStore } from '../store/state'
import { useShortcut } from '../ui/shortcuts'
import { useBeside } from '../ui/useBeside'
import './lint.css'

interface LintPopoverProps {
  table: Table
  found: readonly Finding[]
  by: HTMLElement // the mark that it stands at
  onClose: () => void
}

// LintPopover says at a mark what was found there, with what settles it.
export default function LintPopover({ table, found, by, onClose }: LintPopoverProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null)
  const busy = useStore((s) => s.pending.length > 0 || !s.online)
  useShortcut('Escape', 'Close what lint says', onClose, { typing: true })
  useBeside(ref, by, onClose)
  useLayoutEffect(() => {
    const own = ref.current?.getBoundingClientRect()
    const mark = by.getBoundingClientRect()
    if (!own) return
    const below = mark.bottom + 6
    setPlace({
      left: Math.max(8, Math.min(mark.left, innerWidth - own.width - 8)),
      top: below + own.height + 8 <= innerHeight ? below : Math.max(8, mark.top - own.height - 6),
    })
  }, [by, found])
  useLayoutEffect(() => {
    ref.current?.focus()
    return () => void setTimeout(() => giveBack(by, table))
  }, [by, table])
  return createPortal(
    <div ref={ref} className="lint-popover" role="dialog" aria-label={`Lint of ${fullName(table)}`} tabIndex={-1} data-testid="lint-popover" style={place ?? { visibility: 'hidden' }}>
      <ul>
        {found.map((finding) => (
          <li key={finding.message}>
            <p>{finding.message}</p>
            {settling(finding) && (
              <button type="button" className="button small primary" disabled={busy} aria-label={`${settling(finding)}: ${finding.message}`} data-testid="lint-fix" onClick={() => void settle(finding)}>
                {settling(finding)}
              </button>
            )}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="button small"
        data-testid="lint-all"
        onClick={() => {
          onClose()
          openPanel('lint')
        }}
      >
        Show all of Lint
      </button>
    </div>,
    document.body,
  )
}

// giveBack returns the focus to the mark; one that is settled is gone, and its
// table is the next best.
function giveBack(mark: HTMLElement, table: Table): void {
  if (document.activeElement !== document.body) return
  if (mark.isConnected) mark.focus({ preventScroll: true })
  else document.querySelector<HTMLElement>(`[data-table="${CSS.escape(table.id)}"]`)?.focus({ preventScroll: true })
}
