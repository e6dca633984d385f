import { useState } from 'react'
import { reveal } from '../../canvas/view'
import { shallow } from '../../store/store'
import { useStore } from '../../store/state'
import { Choice } from '../lib/parts'
import { visible } from '../lib/text'
import { AgentBatch } from './AgentBatch'
import { HistoryList } from './HistoryList'
import './activity.css'

type View = 'activity' | 'history'

// ActivityPanel says who did what: as it happens, and as the steps that undo
// and redo walk.
export default function ActivityPanel() {
  const [view, setView] = useState<View>('activity')
  return (
    <div className="pane" data-testid="activity-panel">
      <Choice
        label="View"
        choices={[
          { id: 'activity', text: 'Activity' },
          { id: 'history', text: 'History' },
        ]}
        chosen={view}
        onChoose={setView}
        testId="activity-view"
      />
      <AgentBatch />
      {view === 'activity' ? <ActivityList /> : <HistoryList />}
    </div>
  )
}

function ActivityList() {
  const activity = useStore((s) => s.activity)
  const there = useStore((s) => new Set(s.activity.flatMap((a) => a.tables).filter((id) => s.design?.tables.has(id))), sameSet)
  if (activity.length === 0) {
    return <p className="quiet">Nothing has happened since this page was opened. Edits by you and by the agent appear here as they happen.</p>
  }
  return (
    <ol className="activity" data-testid="activity">
      {activity.map((a) => {
        const tables = a.tables.filter((id) => there.has(id))
        return (
          <li key={a.id}>
            <button type="button" className="activity-item" disabled={tables.length === 0} title={tables.length > 0 ? 'Show on the canvas' : undefined} onClick={() => reveal(tables)}>
              <span className={`who who-${a.origin}`}>{visible(a.who)}</span>
              <span className="what">{a.text}</span>
              <time dateTime={new Date(a.at).toISOString()}>{new Date(a.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}</time>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && shallow([...a], [...b])
}
