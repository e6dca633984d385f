package schema

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// step takes the last edits back, or makes them again: a number of single
// edits, or what the last apply_edits made.
func (t *Tool) step(ctx context.Context, in *invocation) (any, *failure) {
	p := in.request.Payload
	steps := session.Steps{Batch: p.Batch, ExpectedVersion: p.ExpectedVersion, Origin: string(in.call.Origin), Client: clientName(in.call)}
	if p.Steps != nil {
		steps.Count = *p.Steps
	}
	back := in.request.Operation == opUndo
	if ask, refused := t.allowSteps(ctx, in, &steps, back); ask != nil || refused != nil {
		return ask, refused
	}
	move := in.designer.Redo
	if back {
		move = in.designer.Undo
	}
	before := t.before(in, false)
	out, err := move(ctx, steps)
	if err != nil {
		return nil, t.internal(in, err)
	}
	if out.Err != nil {
		f := fromDesigner(out.Err)
		f.CurrentVersion = out.Version
		if out.Err.Reason == designer.StaleState {
			return nil, t.stale(in, f)
		}
		return nil, f
	}
	t.card(ctx, in, before, out, out.Warnings)
	reply := receiptFor(in, out)
	if back {
		reply.Receipt.UndoneEdits = &out.Applied
	} else {
		reply.Receipt.RedoneEdits = &out.Applied
	}
	return reply.fit(), nil
}

// allowSteps asks a person to approve steps, whatever they hold, where the setting
// asks at all: what a step takes away is not known from the call. What was
// allowed is done at that version or not at all.
func (t *Tool) allowSteps(ctx context.Context, in *invocation, steps *session.Steps, back bool) (*tools.Ask, *failure) {
	version := in.designer.Version()
	if !t.asks(in) || steps.ExpectedVersion != "" && steps.ExpectedVersion != version {
		return nil, nil // a stale call is refused by the session
	}
	words := t.describeSteps(ctx, in, *steps, back)
	if len(words) == 0 {
		return nil, nil // nothing to take, which the session says
	}
	steps.ExpectedVersion = version
	return t.confirm(in, words, nil)
}

// describeSteps says for the question what would be undone or redone.
func (t *Tool) describeSteps(ctx context.Context, in *invocation, n session.Steps, back bool) []string {
	verb := "Redo"
	if back {
		verb = "Undo"
	}
	count := max(n.Count, 1)
	if n.Batch {
		count = edits.Max // no batch is longer
	}
	undo, redo, err := in.designer.History(ctx, count)
	if err != nil {
		return []string{verb + " the last edits"}
	}
	history := redo
	if back {
		history = undo
	}
	var words []string
	for _, s := range history {
		if n.Batch && s.BatchID != history[0].BatchID {
			break
		}
		words = append(words, fmt.Sprintf("%s: %s", verb, s.Description))
	}
	return words
}
