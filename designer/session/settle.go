package session

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// playPending looks at a publish that ended with its process. It returns
// true where the record explains what was read, and the read is done with.
func (d *Designer) playPending(s *designer.Schema, p *played, def designer.Definition) (bool, error) {
	if d.making {
		return true, nil // under way: nothing that is read now is lasting
	}
	if d.pending == nil {
		return false, nil
	}
	base, to, err := d.aim()
	if err != nil {
		return false, err
	}
	left, err := leftOf(base, to, def)
	if err != nil {
		return false, err
	}
	if len(left) == 0 {
		_, err := d.playSettle(s, p, def, true)
		return true, err
	}
	now, err := base.Adopt(def)
	if err != nil {
		return false, fmt.Errorf("adopt database: %w", err)
	}
	if d.pending.Plan.Transactional || now.Version() == base.Version() && !d.midway(base) {
		p.settled = true // it was rolled back, taken back by hand, or never began
		return false, nil
	}
	return true, nil // interrupted: a person has to go on with it
}

// midway tells whether the plan has got to a place where the database counts
// as it did before the first step, so that it cannot be told by that whether
// steps are made.
func (d *Designer) midway(base *designer.Schema) bool {
	return d.pending.step > 0 && d.pending.before == base.Version()
}

// leftOf lists what of the way from base to the aim a database that reads as
// def has not made; spelling aside.
func leftOf(base, to *designer.Schema, def designer.Definition) ([]designer.DiffItem, error) {
	now, err := to.Adopt(def)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	return designer.DiffOf(designer.TakeSpelling(base, to, now), now).Items(), nil
}

// aim restores the states between which the pending plan leads.
func (d *Designer) aim() (base, to *designer.Schema, err error) {
	err = d.m.store.read(background, func(r reader) (err error) {
		base, err = d.restore(r, selectBaseTables)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	to, err = d.pending.schema(base)
	return base, to, err
}

// playSettle takes over the database as a publish left it, and forgets the
// record unless the publish stopped halfway; made says that every statement
// was accepted. left is what the plan was to bring about and did not.
func (d *Designer) playSettle(s *designer.Schema, p *played, def designer.Definition, made bool) (left []designer.DiffItem, err error) {
	if d.pending == nil {
		return nil, nil // settled by someone's refresh
	}
	base, to, err := d.aim()
	if err != nil {
		return nil, err
	}
	if left, err = leftOf(base, to, def); err != nil {
		return nil, err
	}
	if len(left) > 0 {
		now, err := base.Adopt(def)
		if err != nil {
			return nil, fmt.Errorf("adopt database: %w", err)
		}
		switch {
		case now.Version() == base.Version():
			p.settled = true
			return left, nil // nothing was made
		case !d.pending.Plan.Transactional && !made:
			return left, nil // halfway: the record says where
		}
	}
	merged, err := mergeMade(base, to, s, def, len(left) == 0, nil)
	if err != nil {
		return nil, err
	}
	p.settled = true
	return left, d.playMerged(s, p, def, merged, "Take over the database's spelling after publishing")
}

// mergeMade joins the design with the database that a plan was made in. All
// of it was made, or all but what the design goes on proposing.
func mergeMade(base, to, design *designer.Schema, def designer.Definition, all bool, choose func(designer.Conflict) designer.Side) (*designer.Merged, error) {
	if all {
		return designer.Merge(to, design, def, nil)
	}
	database, err := to.AdoptHalfway(base, def)
	if err != nil {
		return nil, err
	}
	return designer.MergeAs(base, design, database, choose)
}

// playMerged makes the design what joining it with its database gave, as one
// undo step, and the database its base.
func (d *Designer) playMerged(s *designer.Schema, p *played, def designer.Definition, merged *designer.Merged, why string) error {
	if err := p.rebase(def, merged.Database); err != nil {
		return err
	}
	p.row.seenVersion = p.row.baseVersion
	c := s.ChangeTo(merged.Design)
	if len(c.Tables) == 0 {
		return nil
	}
	c.Description = why
	s.Redo(c)
	p.changes, p.record, p.batch = []designer.Change{c}, true, d.m.opts.NewBatch()
	return nil
}

// playDrift joins a design that has changes of its own with a database that
// has changed too. What conflicts keeps the design drifted until a person has
// chosen.
func (d *Designer) playDrift(s *designer.Schema, p *played, def designer.Definition, choose func(designer.Conflict) designer.Side) (open int, err error) {
	var base *designer.Schema
	err = d.m.store.read(background, func(r reader) (err error) {
		base, err = d.restore(r, selectBaseTables)
		return err
	})
	if err != nil {
		return 0, err
	}
	merged, err := designer.Merge(base, s, def, choose)
	if err != nil {
		return 0, err
	}
	if merged.Open > 0 {
		return merged.Open, nil
	}
	return 0, d.playMerged(s, p, def, merged, "Take over what changed in the database")
}

// playGiveUp forgets an interrupted publish: what it made is the database's
// now, and the rest goes on being proposed, to be planned anew.
func (d *Designer) playGiveUp(s *designer.Schema, p *played, def designer.Definition, choose func(designer.Conflict) designer.Side) (open int, err error) {
	base, to, err := d.aim()
	if err != nil {
		return 0, err
	}
	merged, err := mergeMade(base, to, s, def, false, choose)
	if err != nil {
		return 0, err
	}
	if merged.Open > 0 {
		return merged.Open, nil
	}
	p.settled = true
	return 0, d.playMerged(s, p, def, merged, "Take over what an interrupted publish made")
}

// Rebase joins a drifted design with its database, or gives up a publish that
// was interrupted: choose says for each
// conflict whose state is taken. Where it says nothing for one, the refusal
// is a validation_error and nothing changes. expected is the version of the
// design that the choices were made for.
func (d *Designer) Rebase(ctx context.Context, src Source, expected, origin string, choose func(designer.Conflict) designer.Side) (Outcome, error) {
	if !d.publishing.TryRLock() {
		return Outcome{}, ErrPublishing
	}
	defer d.publishing.RUnlock()
	def, err := src.Read(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("read database of connection %q: %w", src.Name(), err)
	}
	return d.run(ctx, request{event: Refreshed, origin: origin, expected: expected,
		play: func(s *designer.Schema, p *played) error {
			var open int
			var err error
			if d.pending != nil {
				open, err = d.playGiveUp(s, p, def, choose)
			} else {
				open, err = d.playDrift(s, p, def, choose)
			}
			if err == nil && open > 0 {
				p.refusal = &designer.Error{Reason: designer.ValidationError,
					Message: fmt.Sprintf("%d conflicts have no side chosen: choose design or database for each", open)}
			}
			return err
		}})
}
