import { lazy, Suspense, useState } from 'react'
import type { Finding } from '../api/lint'
import type { Table } from '../api/types'
import { fullName } from '../store/design'
import { flaggedNow } from '../store/lint'
import { useStore } from '../store/state'
import { Icon } from '../ui/Icon'

const LintPopover = lazy(() => import('./LintPopover'))

// LintFlag is the quiet mark of a table of which lint has found something. It
// opens what was found, with what settles it.
export function LintFlag({ table }: { table: Table }) {
  const { found, toggle, popover } = useFound(table)
  if (!found) return null
  const said = found.map((f) => f.message).join('\n')
  return (
    <>
      <button type="button" className="flag nodrag" tabIndex={-1} title={said} aria-label={`Lint of ${table.name}: ${found.length}`} aria-haspopup="dialog" data-testid={`flag-${fullName(table)}`} onClick={(event) => toggle(event.currentTarget)}>
        {found.length}
      </button>
      {popover}
    </>
  )
}

// LintAction is the same for a keyboard, and for whoever sees the table from
// afar: among what can be done with the table that is selected. A phone has no
// room for it, and has the mark.
export function LintAction({ table }: { table: Table }) {
  const { found, toggle, popover } = useFound(table)
  if (!found) return null
  return (
    <>
      <button type="button" className="action spare" title={`Lint of ${table.name}`} aria-label={`Lint: ${found.length}`} aria-haspopup="dialog" data-testid="lint-table" onClick={(event) => toggle(event.currentTarget)}>
        <Icon name="lint" />
        <span className="action-label">Lint {found.length}</span>
      </button>
      {popover}
    </>
  )
}

function useFound(table: Table) {
  const found: readonly Finding[] | undefined = useStore((s) => flaggedNow(s).get(table.id))
  const [by, setBy] = useState<HTMLElement | null>(null) // what the popover stands at
  if (!found && by) setBy(null) // or it would open by itself with the next finding
  return {
    found,
    toggle: (button: HTMLElement): void => setBy(by ? null : button),
    popover: by && found && (
      <Suspense>
        <LintPopover table={table} found={found} by={by} onClose={() => setBy(null)} />
      </Suspense>
    ),
  }
}
