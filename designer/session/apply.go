package session

import (
	"context"

	"github.com/berth-dev/berth/designer"
)

// Batch is a list of edits requested in one call.
type Batch struct {
	Edits []designer.Edit // in order; later ones see what earlier ones did
	// ExpectedVersion is the version the caller last saw. Required.
	ExpectedVersion string
	Atomic          bool   // all or nothing; otherwise the edits before a refused one stay
	DryRun          bool   // validate only
	Origin          string // "agent" or "page": follows from the caller's credential
	Client          string // the program that asks, as it calls itself; "": not known
	Hint            *designer.Target
}

// Apply applies the edits of a batch, each as its own undo step, in one
// transaction. It stops at the first edit that is refused: Outcome has its
// index, the reason and the number of edits before it, which stay applied
// unless the batch is atomic. A batch that does not match the design
// (invalid_request, target_mismatch, stale_state, checked in this order) is
// refused as a whole, with index -1. If Apply returns an error, it is that of
// the pipeline and nothing was applied.
func (d *Designer) Apply(ctx context.Context, b Batch) (Outcome, error) {
	if refusal := wellFormed(b); refusal != nil {
		if err := d.load(); err != nil {
			return Outcome{}, err
		}
		return Outcome{Version: d.Version(), FailedIndex: -1, Err: refusal}, nil
	}
	return d.run(ctx, request{
		event: Committed, origin: b.Origin, client: b.Client, expected: b.ExpectedVersion, hint: b.Hint, dryRun: b.DryRun,
		play: func(s *designer.Schema, p *playResult) error { return d.playEdits(s, p, b) },
	})
}

func wellFormed(b Batch) *designer.Error {
	switch {
	case b.ExpectedVersion == "":
		return &designer.Error{Reason: designer.InvalidRequest,
			Message: "expectedVersion is required: pass the version of the last reply"}
	case len(b.Edits) == 0:
		return &designer.Error{Reason: designer.InvalidRequest,
			Message: "edits is required: pass at least one edit"}
	}
	return nil
}

func (d *Designer) playEdits(s *designer.Schema, p *playResult, b Batch) error {
	p.record = true
	for i, edit := range b.Edits {
		c, refusal := s.Apply(edit)
		if refusal != nil {
			p.failed, p.refusal = i, refusal
			break
		}
		p.applied++
		// Record a step even if the edit changed nothing: a caller that undoes
		// as many steps as were reported applied must not go further back.
		p.changes = append(p.changes, c)
	}
	if err := d.checkPublishable(s, p); err != nil {
		return err
	}
	if p.refusal != nil && b.Atomic {
		d.revertLocked(p)
		p.applied = 0
	}
	if len(p.changes) > 0 && !b.DryRun {
		p.batch = d.m.opts.NewBatch()
	}
	return nil
}

// push adds each change as a step on top of the stack. Undone steps can no
// longer be redone, and steps beyond the limit can no longer be undone.
func (e *entry) push(p *playResult, req request, opts Options) error {
	at, now, most := e.row.steps, opts.Now(), opts.MaxSteps
	if !p.shared.at.IsZero() { // every replica keeps the same
		now, most = p.shared.at, teamSteps
	}
	for i, c := range p.changes[p.brought:] {
		text, err := encodeChange(c)
		if err != nil {
			return err
		}
		at.top++
		e.steps = append(e.steps, stepRow{seq: at.top, batch: p.batch, origin: req.origin, client: req.client,
			at: now, description: c.Description, change: text, author: p.shared.author, undoes: p.shared.undoesOf(i)})
	}
	at.last = at.top
	at.first = max(at.first, at.top-int64(most)+1)
	e.row.steps = at
	return nil
}
