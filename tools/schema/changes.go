package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
)

// changesReply says how the design stands to its database: what publishing
// would do, in words, never as a whole script.
type changesReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Sync        session.SyncState `json:"sync"`
	Message     string            `json:"message,omitempty"`
	Changes     []jsontext.Value  `json:"changes"`
	Total       int               `json:"total,omitzero"` // where the list is not all there is
	NextOffset  int               `json:"nextOffset,omitzero"`
	Steps       int               `json:"steps,omitzero"` // statements of the plan
	Risks       []designer.Risk   `json:"risks,omitzero"`
	Blocked     []blockedPart     `json:"blocked,omitzero"` // what cannot be published: the plan leaves it out
	Notes       []string          `json:"notes,omitzero"`
	Lint        []string          `json:"lint,omitzero"`  // what the changes bring that most people regret
	Plan        string            `json:"plan,omitempty"` // names exactly this plan
	Interrupted *interruption     `json:"interrupted,omitzero"`
	// Conflicts come before the changes in the list that offset, limit and
	// total count.
	Conflicts []jsontext.Value `json:"conflicts,omitzero"`
}

// interruption says where a publish ended in its middle.
type interruption struct {
	AppliedSteps int    `json:"appliedSteps"`
	NextStep     string `json:"nextStep,omitempty"` // in words
}

// blockedPart is a table whose changes cannot be published, and why. The
// changes of all others can.
type blockedPart struct {
	Table   designer.TableName `json:"table"`
	Reason  string             `json:"reason"`
	Changes int                `json:"changes"`
}

// blockedParts bounds a list of what is blocked; the notes have a sentence
// where there is more.
func blockedParts(list []designer.BlockedPart) (out []blockedPart, notes []string) {
	const most = 20
	for i, b := range list {
		if i == most {
			return out, []string{fmt.Sprintf("%d more tables cannot be published", len(list)-most)}
		}
		name := designer.TableName{Schema: shortName(b.Table.Schema), Name: shortName(b.Table.Name)}
		out = append(out, blockedPart{name, clip.Text(b.Message, maxTarget), len(b.Items)})
	}
	return out, nil
}

// noChanges is what a design that agrees with its database is told.
const noChanges = "no changes"

// getChanges reads the database again and says what publishing would do.
func (t *Tool) getChanges(ctx context.Context, in *invocation) (any, *failure) {
	_, p, refused := t.propose(ctx, in)
	if refused != nil {
		return nil, refused
	}
	reply := &changesReply{Success: true, Version: p.Version, databaseIdentity: in.identity(), Sync: p.Sync,
		Steps: len(p.Plan.Steps) - p.From, Risks: p.Plan.Risks(), Notes: shortened(p.Plan.Notes), Changes: []jsontext.Value{}}
	blocked, more := blockedParts(p.Blocked)
	reply.Blocked, reply.Notes = blocked, slices.Concat(more, reply.Notes)
	switch {
	case p.Empty():
		reply.Message = noChanges
	case len(p.Blocked) > 0 && len(p.Plan.Steps) == 0:
		reply.Message = "nothing of this can be published: blocked says why"
	case len(p.Blocked) > 0:
		reply.Message = fmt.Sprintf("%d table(s) cannot be published: blocked says why; publish makes the rest", len(p.Blocked))
	case p.Interrupted():
		reply.Interrupted = &interruption{AppliedSteps: p.From}
		if p.From < len(p.Plan.Steps) {
			reply.Interrupted.NextStep = clip.Text(p.Plan.Steps[p.From].Comment, maxTarget)
		}
		reply.Message = "a publish was interrupted; publish resumes it, and rebase gives it up: what it made stays, the rest is planned again"
	case len(p.Conflicts) > 0:
		reply.Message = fmt.Sprintf("design and database have both changed: a person chooses, for each of %d conflicts, by rebase", len(p.Conflicts))
	}
	if len(p.Plan.Steps) > 0 {
		reply.Plan = p.Digest()
	}
	reply.Lint = t.lintOf(ctx, in, p)
	t.plan(in, p, reply)
	reply.list(p, in.request.Options)
	return reply, nil
}

// list fills in the part of the conflicts and changes that is asked for.
func (r *changesReply) list(p *session.Proposal, o requestOptions) {
	items := p.Items()
	first := len(p.Conflicts)
	all := first + len(items)
	from, to := window{o.Offset, o.Limit}.cut(all)
	shown, _ := take(room(r), to-from, func(i int) any {
		if at := from + i; at >= first {
			return items[at-first]
		}
		return p.Conflicts[from+i]
	})
	conflicts := min(max(first-from, 0), len(shown))
	r.Conflicts, r.Changes = shown[:conflicts:conflicts], shown[conflicts:]
	if len(shown) < all {
		r.Total = all
		if from+len(shown) < all {
			r.NextOffset = from + len(shown)
		}
	}
}

// shortened bounds a list of notes.
func shortened(notes []string) []string {
	const most = 20
	var out []string
	for i, n := range notes {
		if i == most {
			return append(out, fmt.Sprintf("… and %d more", len(notes)-most))
		}
		out = append(out, clip.Text(n, maxTarget))
	}
	return out
}

// database returns the call's connection as one that can be published to.
func (t *Tool) database(ctx context.Context, in *invocation) (session.Database, *failure) {
	source, err := t.opts.Connections.Source(ctx, in.designer.ID())
	if err != nil {
		return nil, t.unreadable(in, ConnectionInfo{Name: in.designer.Name()}, err)
	}
	db, ok := source.(session.Database)
	if !ok {
		return nil, invalid("connection %s can be read only", quote(in.designer.Name()))
	}
	return db, nil
}

// propose plans what leads from the database as it is now to the design.
func (t *Tool) propose(ctx context.Context, in *invocation) (session.Database, *session.Proposal, *failure) {
	db, refused := t.database(ctx, in)
	if refused != nil {
		return nil, nil, refused
	}
	p, err := in.designer.Propose(ctx, db)
	if err != nil {
		return db, p, t.notPlanned(in, err)
	}
	return db, p, nil
}

// publishing is said to whoever comes while a plan is being made.
func publishing() *failure {
	return invalid("the design is being published at this moment; call again when that has ended")
}

// notPlanned words why there is no plan.
func (t *Tool) notPlanned(in *invocation, err error) *failure {
	var plan *designer.PlanError
	switch {
	case errors.As(err, &plan):
		return &failure{Reason: designer.ValidationError, Message: plan.Error()}
	case errors.Is(err, session.ErrPublishing):
		return publishing()
	case errors.Is(err, session.ErrDialectChanged):
		return &failure{Reason: designer.Drifted, Message: "connection " + quote(in.designer.Name()) +
			" leads to another kind of database than the one this design, which has changes of its own, is for; " +
			"point it back in .berth/config.yaml, or undo the changes"}
	}
	return t.unreadable(in, ConnectionInfo{Name: in.designer.Name()}, err)
}
