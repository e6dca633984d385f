import { readOnly } from '../api/team'
import { useStore } from '../store/state'

const time = (at: string): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

// TeamBar says why the design, which others share, cannot be edited now.
export function TeamBar() {
  const team = useStore((s) => s.list.designs.find((d) => d.connection === s.connection)?.team)
  const online = useStore((s) => s.online)
  const why = readOnly(team, time)
  if (why === '' || !online) return null
  return (
    <div className="offline" role="status" data-testid="team-bar">
      <strong>Read-only.</strong> {why}
    </div>
  )
}
