package session

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// Steps is how far to undo or redo.
type Steps struct {
	Count int  // single edits; 0 means 1. It is fine if there are fewer
	Batch bool // the steps of the batch on top of the stack instead, as many as are left of it
	// ExpectedVersion is the version the caller last saw; "" means any.
	ExpectedVersion string
	Origin          string // of the undo, not of the edits
	Client          string // likewise, as of a [Batch]
	Hint            *designer.Target
}

// Undo reverts the last edits, whoever made them, but no changes of the
// database. In a team it reverts those of the instance's own person, and leaves
// what others did since. Outcome has the number of steps taken. If there are none, or the
// database no longer has what a step needs, the refusal is a validation_error
// and nothing is done.
func (d *Designer) Undo(ctx context.Context, n Steps) (Outcome, error) {
	return d.travel(ctx, n, Undone, "undo", true)
}

// Redo applies again what Undo reverted. A new edit makes that impossible.
func (d *Designer) Redo(ctx context.Context, n Steps) (Outcome, error) {
	return d.travel(ctx, n, Redone, "redo", false)
}

func (d *Designer) travel(ctx context.Context, n Steps, event EventType, verb string, back bool) (Outcome, error) {
	return d.run(ctx, request{
		event: event, origin: n.Origin, client: n.Client, expected: n.ExpectedVersion, hint: n.Hint,
		play: func(s *designer.Schema, p *playResult) error {
			if d.shared != nil {
				return d.playOwnSteps(s, p, n, verb, back)
			}
			err := d.playSteps(s, p, n, back)
			if stop := p.stop; err == nil && stop != nil && n.reaches(stop, p) {
				p.refusal = stop.refusal(verb, p.applied)
				d.revertLocked(p)
				p.applied, p.row, p.notes = 0, d.row, nil
			} else if err == nil && p.applied == 0 {
				p.refusal = &designer.Error{Reason: designer.ValidationError,
					Message: "There is nothing to " + verb}
			}
			return err
		},
	})
}

// playSteps moves through the stack one step at a time, as far as n requires.
func (d *Designer) playSteps(s *designer.Schema, p *playResult, n Steps, back bool) error {
	at := &p.row.steps
	several := false
	for want := n.among(*at, back); p.applied < want; {
		row, c, err := d.step(s, *at, back)
		if err != nil {
			return err
		}
		if stop := keptByEarlier(row); back && stop != nil {
			p.stop = stop
			break
		}
		if p.applied > 0 && row.batch != p.batch {
			if n.Batch {
				break
			}
			several = true
		}
		s.Redo(c)
		at.move(back)
		p.changes = append(p.changes, c)
		if c.Empty() {
			p.notes = append(p.notes, fmt.Sprintf("%q made no difference: the database already has it, or it was already so", row.description))
		}
		p.applied++
		p.batch = row.batch
	}
	if several {
		p.batch = ""
	}
	if p.stop == nil {
		p.stop = d.barrierLocked(back)
	}
	return nil
}

// reaches reports whether n extends beyond the barrier after p has taken the
// steps before it.
func (n Steps) reaches(stop *barrier, p *playResult) bool {
	if n.Batch {
		return p.applied == 0 || p.batch == stop.Batch
	}
	return p.applied < max(n.Count, 1)
}

// among returns how many steps to take at most.
func (n Steps) among(at stack, back bool) int {
	have := at.undone()
	if back {
		have = at.done()
	}
	if n.Batch {
		return have // the end of the batch is detected on the way
	}
	return min(have, max(n.Count, 1))
}

// step reads the next step either way, as the change that takes it.
func (d *Designer) step(s *designer.Schema, at stack, back bool) (row stepRow, c designer.Change, err error) {
	path, seq := d.m.store.path, at.next(back)
	err = d.m.store.read(background, func(r reader) error {
		rows, err := r.steps(d.row.id, seq, seq)
		if err == nil && len(rows) != 1 {
			return damaged(path, "step %d is missing", seq)
		}
		if err == nil {
			row = rows[0]
		}
		return err
	})
	if err != nil {
		return row, c, err
	}
	if c, err = decodeChange(row.change, s, back); err != nil {
		return row, c, damaged(path, "step %d: %w", seq, err)
	}
	c.Description = row.description
	if back {
		c = c.Inverse()
	}
	return row, c, nil
}
