package schema

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// The actions of a card.
const (
	actionKeep     = "keep"
	actionTakeBack = "take_back"
)

// cardAction holds the arguments of a call of [catalog.ChangeCard].
type cardAction struct {
	ProjectRoot string `json:"projectRoot"`
	Action      string `json:"action"`
	Nonce       string `json:"nonce"`
}

// cardReply says how a card was settled.
type cardReply struct {
	Success bool   `json:"success"`
	Settled string `json:"settled"` // kept, taken_back
	Version string `json:"version"`
	databaseIdentity
}

// SettleCard is the [tools.Handler] of [catalog.ChangeCard]. A caller that has
// the nonce speaks for the person to whom the card was shown: no model is given
// it.
func (t *Tool) SettleCard(ctx context.Context, call tools.Call) tools.Reply {
	reply, refused := t.settleCard(ctx, call)
	if refused != nil {
		return tools.Reply{Content: []string{refused.text()}, IsError: true, Reason: string(refused.Reason)}
	}
	return tools.Reply{Content: []string{string(encode(reply))}}
}

func (t *Tool) settleCard(ctx context.Context, call tools.Call) (*cardReply, *failure) {
	var a cardAction
	if err := json.Unmarshal(jsontext.Value(call.Arguments), &a); err != nil {
		return nil, invalid("the arguments of a card are projectRoot, action and nonce")
	}
	switch {
	case !call.Client.Views:
		return nil, invalid("a card is settled in the view that shows it; the operation undo and the designer page do the same")
	case a.Action != actionKeep && a.Action != actionTakeBack:
		return nil, invalid("action is keep or take_back")
	case a.Nonce == "":
		return nil, invalid("nonce is required: only the card that a person sees has it. To revert an edit, call the operation undo")
	}
	open, ok := t.cards.take(a.Nonce)
	if !ok {
		return nil, invalid("no card waits with this nonce: it was settled, is of another project, or is from before berth was started. " +
			"The designer page shows the design as it is")
	}
	in := &invocation{call: call, designer: open.designer}
	settled, settle := "kept", t.keep
	if a.Action == actionTakeBack {
		settled, settle = "taken_back", t.takeBack
	}
	if refused := settle(ctx, in, open); refused != nil {
		t.cards.putBack(a.Nonce, open)
		return nil, refused
	}
	return &cardReply{Success: true, Settled: settled, Version: open.designer.Version(), databaseIdentity: in.identity()}, nil
}

// keep accepts in the review what the card shows. Of an undo there is nothing to
// accept.
func (t *Tool) keep(ctx context.Context, in *invocation, open openCard) *failure {
	if open.did == opUndo {
		return nil
	}
	steps, err := open.stepsLeft(ctx)
	if err != nil {
		return t.internal(in, err)
	}
	counter, err := open.designer.AcceptSteps(ctx, steps)
	if err != nil {
		return t.internal(in, err)
	}
	if counter > 0 && t.opts.Accepted != nil {
		t.opts.Accepted(open.designer.ID(), counter)
	}
	return nil
}

// takeBack reverts what the card shows: the steps of edits wherever they are in
// the history, an undo or a redo while nothing has changed since.
func (t *Tool) takeBack(ctx context.Context, in *invocation, open openCard) *failure {
	move := open.designer.Undo
	switch open.did {
	case opUndo:
		move = open.designer.Redo
	case opRedo:
	default:
		return t.revert(ctx, in, open)
	}
	changed := &failure{Reason: designer.StaleState, CurrentVersion: open.designer.Version(),
		Message: "the design has changed since, so this can no longer be taken back here: the designer page shows the steps"}
	next, err := open.next(ctx)
	if err != nil {
		return t.internal(in, err)
	}
	if !slices.EqualFunc(next, open.steps, sameStep) {
		return changed // to the same version, perhaps, but by other steps
	}
	out, err := move(ctx, session.Steps{Count: len(open.steps), ExpectedVersion: open.version, Origin: string(tools.OriginPage)})
	switch {
	case err != nil:
		return t.internal(in, err)
	case out.Err != nil && out.Err.Reason == designer.StaleState:
		return changed
	case out.Err != nil:
		return fromDesigner(out.Err)
	}
	return nil
}

// revert reverts the steps of a card that are still there.
func (t *Tool) revert(ctx context.Context, in *invocation, open openCard) *failure {
	steps, err := open.stepsLeft(ctx)
	if err != nil {
		return t.internal(in, err)
	}
	if len(steps) == 0 {
		return invalid("these edits are not among those that can be undone: they were undone already, or are too long ago")
	}
	out, conflicts, err := open.designer.Revert(ctx, session.Revert{Steps: steps, Origin: string(tools.OriginPage)})
	switch {
	case err != nil:
		return t.internal(in, err)
	case out.Err != nil:
		f := fromDesigner(out.Err)
		f.CurrentVersion = out.Version
		if len(conflicts) > 0 {
			f.Message += ". The designer page shows which"
		}
		return f
	}
	return nil
}

// maxCardSteps is how far back the steps of a card are looked for: the most that
// a design keeps.
const maxCardSteps = 10_000

// stepsLeft returns the numbers of the card's steps that are still done.
func (o openCard) stepsLeft(ctx context.Context) ([]int64, error) {
	undo, _, err := o.designer.History(ctx, maxCardSteps)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	for _, s := range undo {
		if o.batch != "" && s.BatchID == o.batch || slices.ContainsFunc(o.steps, func(one session.Step) bool { return sameStep(s, one) }) {
			numbers = append(numbers, s.Number)
		}
	}
	return numbers, nil
}

// next returns the steps that taking an undo or a redo back would take, as many
// as that took.
func (o openCard) next(ctx context.Context) ([]session.Step, error) {
	undo, redo, err := o.designer.History(ctx, len(o.steps))
	if o.did == opUndo {
		return redo, err
	}
	return undo, err
}

// sameStep reports whether two steps are one. Numbers are used again.
func sameStep(a, b session.Step) bool { return a.Number == b.Number && a.BatchID == b.BatchID }
