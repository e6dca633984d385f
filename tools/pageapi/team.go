package pageapi

import (
	"context"
	"time"

	"github.com/berth-dev/berth/designer/session"
)

// Teams is the instance's part in its user's team.
type Teams interface {
	State(ctx context.Context, d *session.Designer) (TeamState, error)
	Act(ctx context.Context, d *session.Designer, r TeamRequest) (TeamDone, error)
}

// TeamState is the body of GET /designs/{connection}/team.
type TeamState struct {
	Team        *session.Team `json:"team"`   // null: the design is not shared
	People      []TeamPerson  `json:"people"` // who follows it now, this instance among them
	PeopleError string        `json:"peopleError,omitempty"`
}

// TeamPerson is one instance that follows a shared design.
type TeamPerson struct {
	Person  string    `json:"person"`
	Machine string    `json:"machine"`
	Project string    `json:"project"`
	Seq     uint64    `json:"seq"`
	Pages   int       `json:"pages"`
	Since   time.Time `json:"since"`
}

// TeamRequest is the body of POST /designs/{connection}/team.
type TeamRequest struct {
	Action  string `json:"action"`  // init, attach, detach or remove
	Name    string `json:"name"`    // of the team's design, to init and attach
	Servers int    `json:"servers"` // of the broker that keep it, to init; 0: one
	Person  string `json:"person"`  // to remove
}

// TeamDone is the answer to a [TeamRequest].
type TeamDone struct {
	Team    *session.Team `json:"team"` // as it is now; null: not shared
	Tables  int           `json:"tables"`
	Brought bool          `json:"brought"` // changes of the design's own became an edit of the team's
}

// Team describes a design's part in a team, and who is there.
func (a *API) Team(ctx context.Context, id string) (TeamState, error) {
	d, err := a.design(id)
	if err != nil {
		return TeamState{}, err
	}
	return a.opts.Teams.State(ctx, d)
}

// SetTeam shares a design, joins or leaves a team, or removes a person.
func (a *API) SetTeam(ctx context.Context, id string, r TeamRequest) (TeamDone, error) {
	d, err := a.design(id)
	if err != nil {
		return TeamDone{}, err
	}
	return a.opts.Teams.Act(ctx, d, r)
}
