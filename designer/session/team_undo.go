package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

const (
	undoWord = "Undo: "
	redoWord = "Redo: "
)

// playOwnSteps takes back the last steps of the instance's own person, or the
// undoing of them, wherever they are in the stack. Each is a new step, so that
// what others did since stays, and every replica has the same.
func (d *Designer) playOwnSteps(s *designer.Schema, p *playResult, n Steps, verb string, back bool) error {
	list := d.shared.redoable()
	if back {
		list = d.shared.undoable()
	}
	chosen := n.of(list)
	if len(chosen) == 0 {
		p.refusal = &designer.Error{Reason: designer.ValidationError,
			Message: fmt.Sprintf("There is nothing of %s to %s: what others did is reverted by its step", d.shared.record.Author, verb)}
		return nil
	}
	past, err := d.pastOf(s, chosen)
	if err != nil {
		return err
	}
	for _, m := range chosen {
		if p.refusal = p.takeBack(s, past[m.seq], back); p.refusal != nil {
			d.revertLocked(p)
			p.applied, p.shared.undoes = 0, nil
			return nil
		}
	}
	p.record, p.batch = true, d.m.opts.NewBatch()
	return nil
}

// of chooses steps from those that can be taken, the next one first.
func (n Steps) of(list []mark) []mark {
	if !n.Batch {
		return list[:min(len(list), max(n.Count, 1))]
	}
	end := slices.IndexFunc(list, func(m mark) bool { return m.batch != list[0].batch })
	if end < 0 {
		end = len(list)
	}
	return list[:end]
}

// pastStep is a step with the design before and after it.
type pastStep struct {
	row           stepRow
	before, after *designer.Schema
}

// pastOf walks back through the steps to the oldest one chosen.
func (d *Designer) pastOf(s *designer.Schema, chosen []mark) (map[int64]pastStep, error) {
	oldest := slices.MinFunc(chosen, func(a, b mark) int { return int(a.seq - b.seq) }).seq
	var rows []stepRow
	err := d.m.store.read(background, func(r reader) (err error) {
		rows, err = r.steps(d.row.id, oldest, d.row.steps.top)
		return err
	})
	if err != nil {
		return nil, err
	}
	past, err := d.copyOf(s)
	if err != nil {
		return nil, err
	}
	states := map[int64]pastStep{}
	for _, row := range slices.Backward(rows) {
		c, err := decodeChange(row.change, past, true)
		if err != nil {
			return nil, damaged(d.m.store.path, "step %d: %w", row.seq, err)
		}
		state := pastStep{row: row}
		wanted := slices.ContainsFunc(chosen, func(m mark) bool { return m.seq == row.seq })
		if wanted {
			if state.after, err = d.copyOf(past); err != nil {
				return nil, err
			}
		}
		past.Redo(c.Inverse())
		if !wanted {
			continue
		}
		if state.before, err = d.copyOf(past); err != nil {
			return nil, err
		}
		states[row.seq] = state
	}
	return states, nil
}

// takeBack reverts one step.
func (p *playResult) takeBack(s *designer.Schema, step pastStep, back bool) *designer.Error {
	if step.before == nil {
		return &designer.Error{Reason: designer.ValidationError, Message: "The step is no longer kept"}
	}
	c, conflicts, refusal := merge.Revert(s, step.before, step.after)
	if refusal != nil {
		return refusal
	}
	if len(conflicts) > 0 {
		return &designer.Error{Reason: designer.ValidationError,
			Message: fmt.Sprintf("%q no longer fits: later changes, of others too, did something else to the same things (%d)", step.row.description, len(conflicts))}
	}
	c.Description = undoWord + step.row.description
	if !back {
		c.Description = redoWord + strings.TrimPrefix(step.row.description, undoWord)
	}
	if c.Empty() {
		p.notes = append(p.notes, fmt.Sprintf("%q made no difference: somebody has taken it back already, or it was already so", step.row.description))
	}
	p.changes = append(p.changes, c)
	p.shared.undoes = append(p.shared.undoes, []int64{step.row.seq})
	p.applied++
	return nil
}

// ownHistory is History of a shared design. The caller holds the lock.
func (d *Designer) ownHistory(ctx context.Context, limit int) (undo, redo []Step, err error) {
	var rows []stepRow
	err = d.m.store.read(ctx, func(r reader) (err error) {
		rows, err = r.steps(d.row.id, d.row.steps.first, d.row.steps.top)
		return err
	})
	pick := func(list []mark) (steps []Step) {
		for _, m := range list[:min(limit, len(list))] {
			if i := slices.IndexFunc(rows, func(r stepRow) bool { return r.seq == m.seq }); i >= 0 {
				steps = append(steps, rows[i].step())
			}
		}
		return steps
	}
	return pick(d.shared.undoable()), pick(d.shared.redoable()), err
}
