import { reveal } from '../../canvas/view'
import { useStore } from '../../store/state'

// ActivityPanel lists who did what since the page was opened, newest first.
export default function ActivityPanel() {
  const activity = useStore((s) => s.activity)
  if (activity.length === 0) {
    return <p className="empty">Nothing has happened since this page was opened. Edits by you, by another tab and by the agent appear here as they happen.</p>
  }
  return (
    <ol className="activity" data-testid="activity">
      {activity.map((a) => (
        <li key={a.id}>
          <button type="button" className="activity-item" onClick={() => reveal(a.tables)}>
            <span className={`who who-${a.origin || 'database'}`}>{a.own ? 'You' : whoOf(a.origin)}</span>
            <span className="what">{a.text}</span>
            <time dateTime={new Date(a.at).toISOString()}>{new Date(a.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}</time>
          </button>
        </li>
      ))}
    </ol>
  )
}

function whoOf(origin: string): string {
  if (origin === 'agent') return 'Agent'
  return origin === 'page' ? 'Another tab' : 'Database'
}
