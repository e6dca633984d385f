package schema

import (
	"context"
	"errors"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
)

// verifyReply says that the whole plan was tried and accepted.
type verifyReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Message string          `json:"message"`
	Steps   int             `json:"steps"`
	Risks   []designer.Risk `json:"risks,omitzero"`
	Blocked []blockedPart   `json:"blocked,omitzero"` // what was not tried, since it cannot be published
	Notes   []string        `json:"notes,omitzero"`
	Lint    []string        `json:"lint,omitzero"` // as in get_changes
	Plan    string          `json:"plan,omitempty"`
}

// verify tries the plan for real where it leaves no trace.
func (t *Tool) verify(ctx context.Context, in *invocation) (any, *failure) {
	db, p, refused := t.proposed(ctx, in)
	if refused != nil {
		return nil, refused
	}
	reply := &verifyReply{Success: true, Version: p.Version, databaseIdentity: in.identity(), Message: noChanges,
		Steps: len(p.Plan.Steps) - p.From, Risks: p.Plan.Risks(), Notes: shortened(p.Plan.Notes)}
	if p.Empty() {
		return reply, nil
	}
	where, refused := triedOn(ctx, db)
	if refused != nil {
		return nil, refused
	}
	reply.Blocked, _ = blockedParts(p.Blocked)
	noted := len(p.Plan.Notes)
	if err := in.designer.Verify(ctx, db, p, in.progress); err != nil {
		return nil, t.notMade(in, err)
	}
	reply.Plan = p.Digest()
	switch {
	case p.Interrupted():
		reply.Message = "nothing was tried: a publish was interrupted, and the rest of a plan cannot be tried by itself; publish resumes it"
	case len(p.Plan.Steps) == 0:
		reply.Message = nothingToRun
	case len(p.Plan.Notes) > noted: // what was not tried comes first, so that no bound cuts it
		reply.Notes = shortened(append(p.Plan.Notes[noted:len(p.Plan.Notes):len(p.Plan.Notes)], p.Plan.Notes[:noted]...))
		reply.Message = "the database refused no step of the plan, but not all of it could be tried: see notes; nothing was changed"
	default:
		reply.Message = "the database accepted every step of the plan in a trial; nothing was changed"
	}
	reply.Notes = append(where, reply.Notes...)
	reply.Lint = t.lintOf(ctx, in, p)
	t.plan(in, p, &changesReply{Message: reply.Message, Steps: reply.Steps, Risks: reply.Risks, Blocked: reply.Blocked,
		Notes: reply.Notes, Lint: reply.Lint})
	return reply, nil
}

// nothingToRun is said of a design that differs from its database in nothing
// that a statement could change there.
const nothingToRun = "nothing can be published: what differs is nothing that this database can hold"

// proposed is propose for what needs a plan: conflicts are a refusal.
func (t *Tool) proposed(ctx context.Context, in *invocation) (session.Database, *session.Proposal, *failure) {
	db, p, refused := t.propose(ctx, in)
	if refused == nil && len(p.Conflicts) > 0 {
		refused = &failure{Reason: designer.Drifted, CurrentVersion: p.Version,
			Message: "design and database have both changed the same things; get_changes lists the conflicts, and a person chooses by rebase"}
	}
	return db, p, refused
}

// notMade words a plan that the database, or a check before it, refused.
func (t *Tool) notMade(in *invocation, err error) *failure {
	var refusal *designer.Error
	var step *designer.StepError
	var unfinished *session.PublishError
	var locked *designer.LockedError
	switch {
	case errors.As(err, &refusal):
		return fromDesigner(refusal)
	case errors.As(err, &unfinished):
		return t.unfinished(in, unfinished)
	case errors.As(err, &step):
		return t.stepRefused(in, step)
	case errors.As(err, &locked):
		return invalid("%s", locked.Error())
	case errors.Is(err, session.ErrPlanChanged):
		return &failure{Reason: designer.StaleState, CurrentVersion: in.designer.Version(),
			Message: clip.Text(err.Error(), maxMessage) + "; nothing was published. Look at get_changes and publish again"}
	}
	return t.notPlanned(in, err)
}

// stepRefused words a statement that the database does not take.
func (t *Tool) stepRefused(in *invocation, step *designer.StepError) *failure {
	return &failure{Reason: designer.DatabaseRefused, CurrentVersion: in.designer.Version(),
		Message: clip.Text(step.Error(), maxMessage), FailedStep: &stepFailure{Step: step.Index + 1, Applied: step.Applied,
			Statement: clip.Text(step.Step.Statement, maxMessage)}}
}

// unfinished words a publish that was begun and failed: what became of the
// database comes first.
func (t *Tool) unfinished(in *invocation, err *session.PublishError) *failure {
	state := map[session.PublishState]string{
		session.NothingApplied: "nothing was published; the database is as it was",
		session.PartlyApplied:  "the publish stopped partway: get_changes says how far it came, and publish resumes it",
		session.MadeByAnother:  "this publish was taken back as a whole; the database is what the design says all the same, since another has made it",
		session.StateUnknown:   "the publish failed and the database could not be read afterwards: get_changes says what became of it",
	}[err.State]
	var step *designer.StepError
	var f *failure
	switch errors.As(err.Err, &step); {
	case errors.Is(err.Err, context.Canceled), errors.Is(err.Err, context.DeadlineExceeded):
		f = &failure{Reason: designer.InternalError, Message: "The call was cancelled"}
	case step != nil:
		f = t.stepRefused(in, step)
	default:
		f = t.unreadable(in, ConnectionInfo{Name: in.designer.Name()}, err.Err)
	}
	f.CurrentVersion = in.designer.Version()
	f.Message = state + ". " + f.Message
	return f
}
