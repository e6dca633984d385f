package cli

import (
	"context"
	"time"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/cmd/berth/team"
)

// teamTimeout bounds the look at a team's broker.
const teamTimeout = 10 * time.Second

// examineTeam checks the broker that the user's settings name; none is nothing
// to report.
func examineTeam(ctx context.Context, e *examination, broker *settings.Team) {
	if broker == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, teamTimeout)
	defer cancel()
	t, err := team.Dial(ctx, broker, "doctor", nil, nil)
	if err != nil {
		e.problem("start the broker, or mend team.url in your config.yaml; docs/teams.md says what it needs", "%v", err)
		return
	}
	defer t.Close()
	e.ok("the team's broker answers: nats-server %s", t.ServerVersion())
	e.note("whether the broker writes an edit to its disk before it acknowledges it (sync_interval: always) cannot be seen with your login: without it a power cut loses edits")
}
