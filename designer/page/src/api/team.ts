// Team is a design's part in a team; see GET /designs/{connection}/team.
export interface Team {
  name: string
  connected: boolean
  since: string // of connected
  reason?: string // why it is not connected
  stopped?: string // why others' edits no longer come
  unknown?: string // the batch of an edit whose outcome is not known yet
}

// readOnly says why a shared design cannot be edited now; '': it can.
export function readOnly(team: Team | undefined, time: (at: string) => string): string {
  if (!team) return ''
  if (team.stopped) return team.stopped
  if (team.unknown) return `The broker of team design “${team.name}” has not said what became of an edit; it is asked until it has.`
  if (team.connected) return ''
  const because = team.reason ? `: ${team.reason}` : ''
  return `The broker of team design “${team.name}” has been unreachable since ${time(team.since)}${because}. What is here stays; edits are possible once it is back.`
}
