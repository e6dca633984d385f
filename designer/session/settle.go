package session

import (
	"context"
	"fmt"
	"slices"

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

// midway reports whether the plan has got to a place where the database counts
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
	if base, err = d.storedBase(); err != nil {
		return nil, nil, err
	}
	to, err = d.pending.schema(base)
	return base, to, err
}

// storedBase reads the database as the design last took it over.
func (d *Designer) storedBase() (base *designer.Schema, err error) {
	err = d.m.store.read(background, func(r reader) (err error) {
		base, err = d.restore(r, selectBaseTables)
		return err
	})
	return base, err
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
	before, err := d.copyOf(s)
	if err != nil {
		return nil, err
	}
	return left, d.playJoined(s, p, def, before, merged.Design, merged)
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

// playJoined makes the design what joining it with its database gave by
// itself, and the database its base. That is no undo step: the steps are
// moved, as if before had always been after.
func (d *Designer) playJoined(s *designer.Schema, p *played, def designer.Definition, before, after *designer.Schema, merged *designer.Merged) error {
	if err := d.moveSteps(p, s, before, after, merged.Design); err != nil {
		return err
	}
	if err := p.rebase(def, merged.Database); err != nil {
		return err
	}
	p.row.seenVersion = p.row.baseVersion
	if c := s.ChangeTo(merged.Design); len(c.Tables) > 0 {
		s.Redo(c)
		p.changes = []designer.Change{c}
	}
	return nil
}

// playChosen takes over what a person has chosen between the design and its
// database. The choice is an undo step; what the database brought is none, so
// that undoing the choice leads to what the design had where they conflict,
// on top of the database as it is.
func (d *Designer) playChosen(s *designer.Schema, p *played, def designer.Definition, base *designer.Schema, merged *designer.Merged) error {
	ours, err := designer.MergeAs(base, s, merged.Database, func(designer.Conflict) designer.Side { return designer.SideDesign })
	if err != nil {
		return err
	}
	if err := d.playJoined(s, p, def, base, merged.Database, &designer.Merged{Design: ours.Design, Database: merged.Database}); err != nil {
		return err
	}
	if i := slices.IndexFunc(merged.Conflicts, designer.Conflict.Removes); i >= 0 {
		p.endSteps(d.row.steps, merged.Conflicts[i])
	}
	c := s.ChangeTo(merged.Design)
	if len(c.Tables) == 0 {
		return nil
	}
	c.Description = "Take over what changed in the database"
	s.Redo(c)
	p.brought = len(p.changes)
	p.changes, p.record, p.batch = append(p.changes, c), true, d.m.opts.NewBatch()
	return nil
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
	base, err := d.storedBase()
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
	if len(merged.Conflicts) == 0 {
		return 0, d.playJoined(s, p, def, base, merged.Database, merged)
	}
	return 0, d.playChosen(s, p, def, base, merged)
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
