import { useState } from 'react'
import { getHistory } from '../../api/designs'
import { reveal } from '../../canvas/view'
import { shallow } from '../../store/store'
import { useStore } from '../../store/state'
import { Failed, Loading } from '../lib/parts'
import { useResource } from '../lib/resource'
import { visible } from '../lib/text'
import { happened, kept, shown, type Happening } from './happened'

// ActivityList is what this page has seen happen and, from before it was opened,
// what the instance keeps of it, the newest first.
export function ActivityList() {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const undoSteps = useStore((s) => s.confirmed?.undoSteps ?? 0)
  const activity = useStore((s) => s.activity)
  const [all, setAll] = useState(false)
  const history = useResource(`${connection}\n${version}\n${all}`, () => getHistory(connection, all ? kept : shown, !all), 100)
  const where = useStore((s) => ({ defaultSchema: s.design?.defaultSchema ?? '', database: s.design?.database ?? '' }), shallow)
  const list = happened(activity, history.data, where)
  const there = useStore((s) => new Set(list.flatMap((a) => a.tables).filter((id) => s.design?.tables.has(id))), sameSet)
  const older = history.data ? undoSteps - history.data.undo.length : 0
  if (history.error && !history.data) return <Failed what="What happened before" error={history.error} again={history.reload} />
  if (!history.data) return <Loading what="what happened before" />
  if (list.length === 0) return <p className="quiet">Nothing has happened yet. Edits by you and by the agent appear here as they happen.</p>
  return (
    <ol className="activity" data-testid="activity">
      {list.map((a) => (
        <Line key={a.key} of={a} tables={a.tables.filter((id) => there.has(id))} />
      ))}
      {older > 0 && (
        <li className="quiet">
          … and {older} older steps.{' '}
          <button type="button" className="button link" data-testid="activity-all" onClick={() => setAll(true)}>
            Show all
          </button>
        </li>
      )}
    </ol>
  )
}

function Line({ of, tables }: { of: Happening; tables: string[] }) {
  const at = new Date(of.at)
  return (
    <li>
      <button type="button" className="activity-item" disabled={tables.length === 0} title={tables.length > 0 ? 'Show on the canvas' : undefined} onClick={() => reveal(tables)}>
        <span className={`who who-${of.origin}`}>{visible(of.who)}</span>
        <span className="what">{of.text}</span>
        <time dateTime={at.toISOString()}>{at.toLocaleString([], { ...(isToday(at) ? {} : { day: 'numeric', month: 'short' }), hour: '2-digit', minute: '2-digit' })}</time>
      </button>
    </li>
  )
}

const isToday = (at: Date): boolean => at.toDateString() === new Date().toDateString()

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && shallow([...a], [...b])
}
