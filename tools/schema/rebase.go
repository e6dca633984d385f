package schema

import (
	"context"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/merge"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/approval"
)

// conflictChoice is the side taken in one conflict.
type conflictChoice struct {
	Conflict string     `json:"conflict"` // id, or "*" for all that are not named
	Side     merge.Side `json:"side"`
}

// rebase joins a drifted design with its database, as a person chose, or
// gives up an interrupted publish.
func (t *Tool) rebase(ctx context.Context, in *invocation) (any, *failure) {
	db, p, refused := t.propose(ctx, in)
	if refused != nil {
		return nil, refused
	}
	if len(p.Conflicts) == 0 && !p.Interrupted() {
		return t.nothingToJoin(in, p), nil
	}
	sides := map[string]merge.Side{}
	for _, c := range in.request.Payload.Choices {
		if c.Side != merge.SideDesign && c.Side != merge.SideDatabase {
			return nil, invalid("payload.choices: side is design or database, not %s", quote(string(c.Side)))
		}
		sides[c.Conflict] = c.Side
	}
	choose := func(c merge.Conflict) merge.Side {
		if side, ok := sides[c.ID]; ok {
			return side
		}
		return sides["*"]
	}
	asked := map[merge.Conflict]bool{}
	var words []string
	for _, c := range p.Conflicts {
		side := choose(c)
		if side == "" {
			return nil, invalid("payload.choices says nothing of conflict %s; get_changes lists them all", quote(c.ID))
		}
		asked[c] = true
		words = append(words, fmt.Sprintf("%s.%s %s (%s): take the %s", c.Table.Schema, c.Table.Name, c.Part, c.What, side))
	}
	title := fmt.Sprintf("Design and database have both changed. Resolve %d conflict(s) in this way?", len(words))
	if p.Interrupted() {
		title = fmt.Sprintf("Give up the publish that was interrupted after %d of %d statements? They stay; the rest is planned again.", p.From, len(p.Plan.Steps))
	}
	plan := approval.Plan{Title: title, Detail: strings.Join(words, "\n")}
	plan.Question, plan.Partial = questionFor(words)
	if ask, refused := t.approve(in, fmt.Appendf(nil, "rebase %s %s", p.Digest(), encode(p.Conflicts)), plan); ask != nil || refused != nil {
		return ask, refused
	}
	out, err := in.designer.Rebase(ctx, db, p.Version, callerOf(in), func(c merge.Conflict) merge.Side {
		if !asked[c] && !p.Interrupted() { // it has changed since the person was asked
			return ""
		}
		return choose(c)
	})
	if err != nil {
		return nil, t.notMade(in, err)
	}
	if out.Err != nil {
		return nil, t.editRefused(in, out)
	}
	return receiptFor(in, out).fit(), nil
}

// nothingToJoin answers a rebase of a design without conflicts. What did not
// conflict was joined when the database was read.
func (t *Tool) nothingToJoin(in *invocation, p *session.Proposal) any {
	return &publishReply{Success: true, Version: p.Version, databaseIdentity: in.identity(), Message: "nothing to choose: design and database do not conflict"}
}
