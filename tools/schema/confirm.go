package schema

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

// maxAsked bounds the edits a question lists.
const maxAsked = 20

// needsConfirming applies the setting to a batch.
func (t *Tool) needsConfirming(edits []designer.Edit) bool {
	switch t.opts.Confirm {
	case ConfirmAlways:
		return len(edits) > 0
	case ConfirmDestructive:
		return slices.ContainsFunc(edits, destructive)
	}
	return false
}

// allowEdits asks a person to approve a batch where the setting asks for it. They
// are asked about edits that would be made, so a trial comes before the
// question: what is stale or invalid is refused without bothering anyone.
func (t *Tool) allowEdits(ctx context.Context, in *invocation, batch session.Batch) (*tools.Ask, *failure) {
	if batch.DryRun || !t.asks(in) || !t.needsConfirming(batch.Edits) {
		return nil, nil
	}
	trial := batch
	trial.DryRun = true
	out, err := in.designer.Apply(ctx, trial)
	if err != nil {
		return nil, t.internal(in, err)
	}
	made := batch.Edits[:out.Applied]
	if !t.needsConfirming(made) {
		return nil, nil // applying says why the others are refused
	}
	return t.confirm(in, out.Words[:min(len(out.Words), out.Applied)], nil)
}

// allowImport asks a person to approve an import where the setting asks for it,
// after a trial as [Tool.allowEdits]. The question holds for what the file
// defines, not for its name: a file that is another by the time of the answer
// is asked about again.
func (t *Tool) allowImport(ctx context.Context, in *invocation, im session.Import) (*tools.Ask, *failure) {
	if im.DryRun || !t.asks(in) {
		return nil, nil
	}
	trial := im
	trial.DryRun = true
	out, err := in.designer.Import(ctx, trial)
	if err != nil {
		return nil, t.internal(in, err)
	}
	words := out.Changes.Describe()
	if len(words) == 0 || t.opts.Confirm == ConfirmDestructive && !out.Changes.TakesAway() {
		return nil, nil
	}
	return t.confirm(in, words, []byte(encode(im.Definition)))
}

// asks reports whether this call may need a person's leave. At the page a
// person is at work already.
func (t *Tool) asks(in *invocation) bool {
	return t.opts.Confirm != ConfirmNever && in.call.Origin != tools.OriginPage
}

// destructive reports whether an edit takes something away, or changes a type
// so that published data may be lost.
func destructive(e designer.Edit) bool {
	switch e.Op {
	case designer.DropTable, designer.DropColumn, designer.DropForeignKey, designer.DropIndex, designer.DropCheck, designer.DropType:
		return true
	case designer.SetType:
		return e.SetType.Values != nil || len(e.SetType.RenameValues) > 0 || e.SetType.DataType != nil
	case designer.SetColumn:
		c := e.SetColumn
		return c.DataType != nil || c.MaxLength != nil || c.Precision != nil || c.Scale != nil
	}
	return false
}

// confirm asks a person to approve a mutation of the design described by words. It
// holds for the call's arguments, and for bound where those do not say all.
// Both results nil: go on.
func (t *Tool) confirm(in *invocation, words []string, bound []byte) (*tools.Ask, *failure) {
	target := in.identity()
	title := fmt.Sprintf("Allow %d change(s) of the schema design of %s on %s?", len(words), target.Database, target.Server)
	p := approval.Plan{Kind: approval.KindDesign, Title: title, Detail: strings.Join(words, "\n"), Bound: bound}
	p.Question, p.Partial = questionFor(words)
	return t.decide(in, p)
}

// planField is the field that names a filed plan.
const planField = "payload.planId"

// decide asks a person to approve p, at this version of this design. Both results
// nil: go on. Else nothing may be done yet: the client puts the question and
// repeats the call, or a person decides elsewhere.
func (t *Tool) decide(in *invocation, p approval.Plan) (*tools.Ask, *failure) {
	arguments, err := approval.Arguments(in.call.Arguments, planField)
	if err != nil {
		return nil, t.internal(in, err)
	}
	p.Bound = fmt.Appendf(nil, "%d:%s%d:%s%d:%s%s", len(in.designer.ID()), in.designer.ID(),
		len(in.designer.Version()), in.designer.Version(), len(arguments), arguments, p.Bound)
	p.ID, p.Argument = in.request.Payload.PlanID, planField
	target := in.designer.Target()
	p.About.Connection, p.About.Server, p.About.Database = in.designer.Name(), target.Server, target.Database
	decision, err := t.ledger.Decide(in.call, p)
	switch {
	case err != nil:
		return nil, t.internal(in, err)
	case decision.Allowed:
		return nil, nil
	case decision.Ask != nil:
		return decision.Ask, nil
	default:
		r := decision.Refused
		return nil, &failure{Reason: designer.Reason(r.Reason), Message: r.Message, FiledPlan: r.FiledPlan, CurrentVersion: in.designer.Version()}
	}
}

// questionFor lists what a question is about, bounded. partial reports
// whether something had to be left out.
func questionFor(words []string) (lines string, partial bool) {
	var list strings.Builder
	for i, w := range words {
		if i == maxAsked {
			fmt.Fprintf(&list, "… and %d more\n", len(words)-maxAsked)
			return list.String(), true
		}
		partial = partial || len(w) > maxTarget
		list.WriteString("• " + clip.Text(w, maxTarget) + "\n")
	}
	return list.String(), partial
}
