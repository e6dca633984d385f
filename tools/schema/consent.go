package schema

import (
	"context"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// applyAllowed applies a batch of which a person may have to allow edits.
// They are asked about edits that would be made only: a dry run says which.
func (t *Tool) applyAllowed(ctx context.Context, w *work, batch session.Batch) (any, *failure) {
	apply := func() (session.Outcome, error) { return w.Apply(ctx, batch) }
	if batch.DryRun || !t.confirms(w) || len(t.concerning(batch.Edits)) == 0 {
		return t.outcome(w, apply)
	}
	if w.call.State != "" {
		version, refused := t.answered(w)
		if refused != nil {
			return nil, refused
		}
		batch.ExpectedVersion = version
		return t.outcome(w, apply)
	}
	trial := batch
	trial.DryRun = true
	out, err := w.Apply(ctx, trial)
	if err != nil || out.Applied == 0 {
		out.DryRun = false // applying fails alike: there is nothing to ask
		return t.outcome(w, func() (session.Outcome, error) { return out, err })
	}
	edits := batch.Edits[:out.Applied]
	concerning := t.concerning(edits)
	if len(concerning) == 0 {
		return t.outcome(w, apply)
	}
	lines, refused := t.describe(w, concerning)
	if refused != nil {
		return nil, refused
	}
	return t.ask(w, batch.ExpectedVersion, lines, len(edits)-len(concerning))
}

// describe puts edits into words, with the schema they mean.
func (t *Tool) describe(w *work, edits []designer.Edit) ([]string, *failure) {
	var lines []string
	refused := t.view(w, func(s *designer.Schema) {
		for _, e := range edits {
			if e.Table.Schema == "" && e.Table.Name != "" {
				e.Table.Schema = s.DefaultSchema()
			}
			lines = append(lines, designer.Describe(e))
		}
	})
	return lines, refused
}

// travelAllowed takes steps that a person may have to allow: where the
// setting is always, since steps may be somebody else's.
func (t *Tool) travelAllowed(ctx context.Context, w *work, run func(session.Steps) (session.Outcome, error)) (any, *failure) {
	n := w.steps()
	move := func() (session.Outcome, error) { return run(n) }
	if !t.confirms(w) || t.cfg.Confirm == confirmDestructive {
		return t.outcome(w, move)
	}
	version := w.Version()
	if n.ExpectedVersion != "" && n.ExpectedVersion != version {
		return nil, t.stale(w)
	}
	if w.call.State != "" {
		allowed, refused := t.answered(w)
		if refused != nil {
			return nil, refused
		}
		n.ExpectedVersion = allowed
		return t.outcome(w, move)
	}
	lines, err := w.stepLines(ctx, n)
	if err != nil {
		return t.outcome(w, func() (session.Outcome, error) { return session.Outcome{}, err })
	}
	n.ExpectedVersion = version
	if len(lines) == 0 {
		return t.outcome(w, move) // says that there is nothing to undo
	}
	return t.ask(w, version, lines, 0)
}

// stepLines puts the steps that n would take into words.
func (w *work) stepLines(ctx context.Context, n session.Steps) ([]string, error) {
	most := designer.MaxEdits // no batch is longer
	if !n.Batch {
		most = min(n.Count, most)
	}
	undo, redo, err := w.History(ctx, most)
	list, verb := undo, "Undo: "
	if w.request.Operation == opRedo {
		list, verb = redo, "Redo: "
	}
	var lines []string
	for _, step := range list {
		if n.Batch && step.BatchID != list[0].BatchID {
			break
		}
		lines = append(lines, verb+clipTo(step.Description, maxText))
	}
	return lines, err
}
