import { useState } from 'react'
import type { Finding } from '../../api/lint'
import { reveal } from '../../canvas/view'
import { graveOf } from '../../store/lint'
import { settle } from '../../store/settle'
import { useStore } from '../../store/state'
import { Breakable, Choice, Failed, Loading, Note } from '../lib/parts'
import { plural } from '../lib/text'
import { groupsOf, placeOf, settling, type Group } from './groups'
import './lint.css'
import { lookAgain } from './watch'

type View = 'grave' | 'all'

const shown = 200 // findings of one rule

// LintPanel lists what the author of the design will probably regret, with the
// edit that settles it where there is one.
export default function LintPanel() {
  const { report, error } = useStore((s) => s.lint)
  const [view, setView] = useState<View>('grave')
  if (error) return <Failed what="What lint says" error={error} again={lookAgain} />
  if (!report) return <Loading what="what lint says" />
  const grave = graveOf(report)
  const groups = groupsOf(view === 'grave' ? grave : report.findings)
  return (
    <div className="pane" data-testid="lint-panel">
      <Choice
        label="Findings"
        choices={[
          { id: 'grave', text: `Warnings ${grave.length}` },
          { id: 'all', text: `All ${report.findings.length}` },
        ]}
        chosen={view}
        onChoose={setView}
        testId="lint-view"
      />
      {report.notes?.map((note) => (
        <Note key={note} tone="info">
          {note}
        </Note>
      ))}
      {groups.length === 0 && <p className="quiet">{view === 'grave' ? 'Nothing that most people regret.' : 'Nothing was found.'} Rules are switched in .berth/config.yaml.</p>}
      {groups.map((group) => (
        <Rule key={`${group.severity} ${group.rule}`} group={group} />
      ))}
    </div>
  )
}

function Rule({ group: { rule, severity, findings } }: { group: Group }) {
  return (
    <section className="lint-rule" aria-label={rule} data-testid={`lint-${rule}`}>
      <h3>
        <span className={`lint-severity ${severity}`}>{severity}</span> {rule} <span className="quiet">{findings.length}</span>
      </h3>
      <ul>
        {findings.slice(0, shown).map((finding, i) => (
          <Line key={`${finding.tableId} ${finding.column} ${finding.object} ${i}`} finding={finding} />
        ))}
      </ul>
      {findings.length > shown && <p className="quiet">and {plural(findings.length - shown, 'more one', 'more')}; berth lint --rule {rule} lists them all</p>}
    </section>
  )
}

function Line({ finding }: { finding: Finding }) {
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const there = useStore((s) => finding.tableId !== undefined && (s.design?.tables.has(finding.tableId) ?? false))
  const busy = useStore((s) => s.pending.length > 0 || !s.online)
  const place = placeOf(finding, defaultSchema)
  const label = settling(finding)
  return (
    <li className="lint-line">
      <button type="button" className="lint-place" disabled={!there} title={there ? 'Show on the canvas' : undefined} onClick={() => finding.tableId !== undefined && reveal([finding.tableId])}>
        <Breakable text={place} />
      </button>
      <p>{finding.message}</p>
      {label && (
        <button type="button" className="button small" disabled={busy} aria-label={`${label}: ${place}`} data-testid="lint-settle" onClick={() => void settle(finding)}>
          {label}
        </button>
      )}
    </li>
  )
}
