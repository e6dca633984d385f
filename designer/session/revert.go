package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// Revert selects undo steps to remove from a design, wherever they are in the
// stack; later changes stay.
type Revert struct {
	Steps           []int64 // [Step.Number], in any order
	ExpectedVersion string  // the version the caller last saw; "": any
	Origin          string
	Hint            *designer.Target
}

// Revert reverts the changes of undo steps as one batch, all or none. If later
// steps changed the same things differently, it returns the conflicts and a
// refusal, and does nothing.
func (d *Designer) Revert(ctx context.Context, r Revert) (Outcome, []merge.Conflict, error) {
	var conflicts []merge.Conflict
	out, err := d.run(ctx, request{
		event: Committed, origin: r.Origin, expected: r.ExpectedVersion, hint: r.Hint,
		play: func(s *designer.Schema, p *playResult) (err error) {
			conflicts, err = d.playRevert(s, p, r.Steps)
			if p.refusal != nil || len(conflicts) > 0 {
				d.revertLocked(p)
				p.applied = 0
			}
			if len(p.changes) > 0 {
				p.record, p.batch = true, d.m.opts.NewBatch()
			}
			return err
		},
	})
	return out, conflicts, err
}

// playRevert walks back through the steps on a copy of the design and reverts
// each run of consecutive requested steps.
func (d *Designer) playRevert(s *designer.Schema, p *playResult, steps []int64) ([]merge.Conflict, error) {
	rows, refusal, err := d.stepsFrom(steps)
	if err != nil || refusal != nil {
		p.refusal = refusal
		return nil, err
	}
	past, err := d.snapshotLocked()
	if err != nil {
		return nil, err
	}
	var after *designer.Schema
	var stretch []stepRow
	for i, row := range slices.Backward(rows) {
		wanted := slices.Contains(steps, row.seq)
		if wanted && after == nil {
			if after, err = d.copyOf(past); err != nil {
				return nil, err
			}
		}
		c, err := decodeChange(row.change, past, true)
		if err != nil {
			return nil, damaged(d.m.store.path, "step %d: %w", row.seq, err)
		}
		past.Redo(c.Inverse())
		if !wanted {
			continue
		}
		stretch = append(stretch, row)
		if i > 0 && slices.Contains(steps, rows[i-1].seq) {
			continue
		}
		had := len(p.changes)
		conflicts := p.takeOut(s, past, after, stretch)
		if d.shared != nil && len(p.changes) > had {
			p.shared.undoes = append(p.shared.undoes, numbersOf(stretch))
		}
		if p.refusal != nil {
			return conflicts, nil
		}
		after, stretch = nil, nil
	}
	return nil, nil
}

func numbersOf(rows []stepRow) []int64 {
	numbers := make([]int64, len(rows))
	for i, row := range rows {
		numbers[i] = row.seq
	}
	return numbers
}

// takeOut reverts one run of steps, newest first, that led from before to
// after.
func (p *playResult) takeOut(s, before, after *designer.Schema, stretch []stepRow) []merge.Conflict {
	c, conflicts, refusal := merge.Revert(s, before, after)
	switch {
	case refusal != nil:
		p.refusal = refusal
	case len(conflicts) > 0:
		p.refusal = &designer.Error{Reason: designer.ValidationError,
			Message: fmt.Sprintf("Later changes did something else to the same things (%d); undo those first, or change it by hand", len(conflicts))}
	case !c.Empty():
		c.Description = "Revert: " + stretch[len(stretch)-1].description
		if more := len(stretch) - 1; more > 0 {
			c.Description += fmt.Sprintf(" and %d more", more)
		}
		p.changes = append(p.changes, c)
		p.applied += len(stretch)
	}
	return conflicts
}

// stepsFrom reads the steps from the oldest asked for up to the last done.
func (d *Designer) stepsFrom(steps []int64) (rows []stepRow, refusal *designer.Error, err error) {
	at := d.row.steps
	for _, n := range steps {
		if n < at.first || n > at.top {
			return nil, &designer.Error{Reason: designer.ValidationError,
				Message: fmt.Sprintf("Step %d is not among those done: it was undone, or is no longer kept", n)}, nil
		}
	}
	if len(steps) == 0 {
		return nil, &designer.Error{Reason: designer.InvalidRequest, Message: "steps is required: the numbers of the steps to revert"}, nil
	}
	err = d.m.store.read(background, func(r reader) error {
		rows, err = r.steps(d.row.id, slices.Min(steps), at.top)
		return err
	})
	return rows, nil, err
}

// copyOf returns an independent schema with the same tables.
func (d *Designer) copyOf(s *designer.Schema) (*designer.Schema, error) {
	return designer.Restore(s.Dialect(), s.Tables(), &designer.Options{NewID: d.m.opts.NewID,
		DefaultSchema: s.DefaultSchema(), Catalog: s.Catalog()})
}
