package schema

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// apply makes the edits of a batch and answers with a receipt. The checks
// come in the contract's order: version present, edits present, well-formed,
// target, staleness, and then each edit as it is applied; where a person has
// to allow the change they are asked once nothing else is wrong.
func (t *Tool) apply(ctx context.Context, w *work) (any, *failure) {
	batch, refused := w.batch()
	if refused != nil {
		return nil, refused
	}
	return t.applyAllowed(ctx, w, batch)
}

// batch reads the edits of a call, as far as that needs no look at the
// schema.
func (w *work) batch() (session.Batch, *failure) {
	p, o := w.request.Payload, w.request.Options
	if p.ExpectedVersion == "" {
		return session.Batch{}, w.here(invalid("payload.expectedVersion is required: the version in your last reply"))
	}
	missing := invalid("payload.edits is required: at least one edit")
	if len(p.Edits) == 0 || p.Edits.Kind() == 'n' {
		return session.Batch{}, w.here(missing)
	}
	edits, malformed := designer.DecodeEdits(json.RawMessage(p.Edits))
	if malformed != nil {
		return session.Batch{}, w.malformed(malformed)
	}
	if len(edits) == 0 {
		return session.Batch{}, w.here(missing)
	}
	return session.Batch{Edits: edits, ExpectedVersion: p.ExpectedVersion, Atomic: o.Atomic, DryRun: o.DryRun,
		Origin: string(w.call.Origin)}, w.meant()
}

// malformed refuses a batch that cannot be read, naming the edit.
func (w *work) malformed(e *designer.IndexedError) *failure {
	f := refusal(e.Error)
	if e.Index >= 0 {
		f.FailedEditIndex, f.AppliedEdits = &e.Index, new(0)
		f.CurrentVersion = w.Version()
	}
	return w.here(f)
}

// outcome runs a mutation and words what came of it.
func (t *Tool) outcome(w *work, run func() (session.Outcome, error)) (any, *failure) {
	out, err := run()
	switch {
	case err != nil:
		return nil, w.here(t.internal(fmt.Sprintf("%s on connection %q", w.request.Operation, w.Name()), err))
	case out.Err == nil:
		return w.receipt(out), nil
	case out.Err.Reason == designer.StaleState:
		return nil, t.stale(w)
	}
	return nil, w.refused(out)
}

// refused words a refusal of the model. A dry run has applied nothing,
// however far it got.
func (w *work) refused(out session.Outcome) *failure {
	f := refusal(out.Err)
	f.CurrentVersion, f.DryRun = out.Version, out.DryRun
	if out.FailedIndex >= 0 {
		f.FailedEditIndex, f.AppliedEdits = &out.FailedIndex, &out.Applied
		if out.DryRun {
			f.AppliedEdits = new(0)
		}
	}
	return w.here(f)
}

// stale gives a caller with an old version what it needs to go on: version
// and overview are of one moment.
func (t *Tool) stale(w *work) *failure {
	f := w.here(fail(designer.StaleState, "Schema changed since last read"))
	refused := t.view(w, func(s *designer.Schema) {
		o := overviewOf(s, requestOptions{IncludeColumns: columnsTypes}, maxReply-overhead)
		f.CurrentVersion, f.CurrentOverview = s.Version(), &o
	})
	f.SuggestedNextCall = &nextCall{Operation: opOverview, Options: nextOptions{IncludeColumns: columnsTypes}}
	if refused != nil {
		return refused
	}
	return f
}
