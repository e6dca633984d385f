package schema

import (
	"context"

	"github.com/berth-dev/berth/designer/session"
)

// travel takes edits back, or makes them again, and answers with a receipt.
func (t *Tool) travel(ctx context.Context, w *work) (any, *failure) {
	if refused := w.meant(); refused != nil {
		return nil, refused
	}
	run := w.Undo
	if w.request.Operation == opRedo {
		run = w.Redo
	}
	return t.travelAllowed(ctx, w, func(n session.Steps) (session.Outcome, error) { return run(ctx, n) })
}

func (w *work) steps() session.Steps {
	p := w.request.Payload
	n := session.Steps{Count: 1, Batch: p.Batch, ExpectedVersion: p.ExpectedVersion, Origin: string(w.call.Origin)}
	if p.Steps != nil {
		n.Count = *p.Steps
	}
	return n
}
