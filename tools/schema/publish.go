package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

// publishReply is computed from the database as it was read afterwards.
type publishReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Message string           `json:"message"`
	Steps   int              `json:"steps"` // statements made
	Left    []jsontext.Value `json:"left,omitzero"`
	Blocked []blockedPart    `json:"blocked,omitzero"` // what was left out
	Notes   []string         `json:"notes,omitzero"`
}

// publish makes the plan in the database, after a person allowed exactly it.
func (t *Tool) publish(ctx context.Context, in *invocation) (any, *failure) {
	if refused := t.handOver(ctx, in); refused != nil {
		return nil, refused
	}
	db, p, refused := t.proposed(ctx, in)
	if refused != nil {
		return nil, refused
	}
	if v := in.request.Payload.ExpectedVersion; v != "" && v != p.Version {
		return nil, t.stale(in, &failure{Reason: designer.StaleState})
	}
	if p.Empty() {
		return &publishReply{Success: true, Version: p.Version, databaseIdentity: in.identity(), Message: noChanges}, nil
	}
	if len(p.Plan.Steps) == 0 && len(p.Blocked) == 0 {
		reply := &publishReply{Success: true, Version: p.Version, databaseIdentity: in.identity(), Message: nothingToRun, Notes: shortened(p.Plan.Notes)}
		reply.leave(p.Diff.Items())
		return reply, nil
	}
	if in.call.State == "" && in.request.Payload.PlanID == "" { // nobody is asked about what the database refuses
		if err := in.designer.Verify(ctx, db, p, in.progress); err != nil {
			return nil, t.notMade(in, err)
		}
	}
	if ask, refused := t.allowPublish(in, p); ask != nil || refused != nil {
		return ask, refused
	}
	ctx, stop := lasting(ctx)
	defer stop()
	done, err := in.designer.Publish(ctx, db, p.Digest(), callerOf(in), in.progress)
	if err != nil {
		return nil, t.notMade(in, err)
	}
	return t.publishedReply(in, p, done), nil
}

// maxPublish bounds how long one publish may take.
const maxPublish = 12 * time.Hour

// lasting is a context that ends with the caller's cancelling but not with
// the deadline of its call: a large table takes as long as it takes, and who
// has stopped waiting learns from get_changes what became of it.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	long, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxPublish)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return long, func() { stop(); cancel() }
}

func (t *Tool) publishedReply(in *invocation, p *session.Proposal, done *session.Published) *publishReply {
	reply := &publishReply{Success: true, Version: done.Version, databaseIdentity: in.identity(), Steps: done.Steps,
		Message: "published; the database was read again and is what the design says"}
	if len(p.Blocked) > 0 {
		reply.Blocked, reply.Notes = blockedParts(p.Blocked)
		reply.Message = fmt.Sprintf("published all but %d table(s) that cannot be: blocked says why; the database was read again", len(p.Blocked))
	}
	if len(done.Left) > 0 {
		reply.Message = fmt.Sprintf("published, but the database differs in %d things from what was to be; get_changes has them", len(done.Left))
		reply.leave(done.Left)
	}
	return reply
}

// leave lists the first of what the database does not have.
func (r *publishReply) leave(items []designer.DiffItem) {
	r.Left, _ = take(maxReceipt/2, len(items), func(i int) any { return items[i] })
}

// roomForSQL is for how many steps a question has a line left that says where
// their SQL is.
const roomForSQL = 2

// allowPublish asks a person to approve the plan. Both results nil: go on.
func (t *Tool) allowPublish(in *invocation, p *session.Proposal) (*tools.Ask, *failure) {
	target := in.identity()
	title := fmt.Sprintf("Publish %d change(s) in %d statement(s) to the database %s on %s?",
		len(p.Diff.Items()), len(p.Plan.Steps)-p.From, target.Database, target.Server)
	if p.Interrupted() {
		title = fmt.Sprintf("Resume an interrupted publish to %s on %s: %d of %d statements are made?",
			target.Database, target.Server, p.From, len(p.Plan.Steps))
	}
	rest := p.Plan // exactly what runs
	rest.Steps = rest.Steps[p.From:]
	plan := approval.Plan{Title: title, Detail: rest.Script(), Format: approval.FormatSQL,
		LosesData: slices.Contains(rest.Risks(), designer.RiskDataLoss)}
	words := planWords(p)
	plan.Question, plan.Partial = questionFor(words)
	if len(words) <= roomForSQL { // clients show few lines, and what it does goes first
		plan.Question += "Its SQL: berth diff --sql, in the project\n"
	}
	for _, s := range rest.Steps {
		plan.About.Statements = append(plan.About.Statements, s.Statement)
	}
	return t.approve(in, []byte("publish "+p.Digest()), plan)
}

// approve asks a person to approve what reaches beyond the design. effect is what
// would be done.
func (t *Tool) approve(in *invocation, effect []byte, p approval.Plan) (*tools.Ask, *failure) {
	target := in.designer.Target()
	p.Kind = approval.KindPublish
	p.Bound = fmt.Appendf(nil, "%d:%s%d:%s%s", len(target.Server), target.Server, len(target.Database), target.Database, effect)
	ask, refused := t.decide(in, p)
	if refused != nil && refused.PlanID != "" {
		refused.Message += ". Or have them run berth " + strings.ReplaceAll(in.request.Operation, "_", " ") + " at a terminal in the project"
	}
	return ask, refused
}

// planWords are the steps of a plan for the question, the risky ones marked
// and those that lose or invent data or break something first: a question
// lists only so many. So do the notes where they say what breaks or is left
// out.
func planWords(p *session.Proposal) []string {
	var words, grave []string
	for _, s := range p.Plan.Steps[p.From:] {
		w := s.Comment
		if len(s.Risks) > 0 {
			risks := make([]string, len(s.Risks))
			for i, r := range s.Risks {
				risks[i] = strings.ReplaceAll(string(r), "_", " ")
			}
			w += " (" + strings.Join(risks, ", ") + ")"
		}
		if slices.ContainsFunc(s.Risks, isGrave) {
			grave = append(grave, w)
		} else {
			words = append(words, w)
		}
	}
	if len(p.Blocked) > 0 || slices.Contains(p.Plan.Risks(), designer.RiskBreaks) {
		return slices.Concat(grave, p.Notes(), words)
	}
	return slices.Concat(grave, words, p.Notes())
}

func isGrave(r designer.Risk) bool {
	return r == designer.RiskDataLoss || r == designer.RiskInventsValues || r == designer.RiskBreaks
}
