import { useState } from 'react'
import { Choice } from '../lib/parts'
import { ActivityList } from './ActivityList'
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
