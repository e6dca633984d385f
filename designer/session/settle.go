package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

// playPending checks a publish that ended with its process. It returns true if
// the record explains what was read, so that nothing else needs to be done.
func (d *Designer) playPending(s *designer.Schema, p *playResult, def designer.Definition) (bool, error) {
	if d.making {
		return true, nil // in progress: what is read now does not last
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
		p.settled = true // it was rolled back, reverted by hand, or never began
		return false, nil
	}
	return true, nil // interrupted: a person must resume it
}

// midway reports whether the plan is at a point where the database looks as
// before the first step, so that it does not show whether steps were run.
func (d *Designer) midway(base *designer.Schema) bool {
	return d.pending.step > 0 && d.pending.before == base.Version()
}

// leftOf lists the differences between base and to that a database with the
// definition def does not have yet, ignoring spelling.
func leftOf(base, to *designer.Schema, def designer.Definition) ([]designer.DiffItem, error) {
	now, err := to.Adopt(def)
	if err != nil {
		return nil, fmt.Errorf("adopt database: %w", err)
	}
	return designer.DiffOf(designer.TakeSpelling(base, to, now), now).Items(), nil
}

// aim restores the states before and after the pending plan.
func (d *Designer) aim() (base, to *designer.Schema, err error) {
	if base, err = d.storedBase(); err != nil {
		return nil, nil, err
	}
	to, err = d.pending.schema(base)
	return base, to, err
}

// storedBase reads the database as the design last adopted it.
func (d *Designer) storedBase() (base *designer.Schema, err error) {
	err = d.m.store.read(background, func(r reader) (err error) {
		base, err = d.restore(r, selectBaseTables)
		return err
	})
	return base, err
}

// playSettle adopts the database as a publish left it, and deletes the record
// unless the publish stopped halfway. made means that every statement was
// accepted. left is what the plan should have changed but did not.
func (d *Designer) playSettle(s *designer.Schema, p *playResult, def designer.Definition, made bool) (left []designer.DiffItem, err error) {
	if d.pending == nil {
		return nil, nil // already settled by a refresh
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
	if d.shared != nil {
		p.shared.report = d.reportOf(d.pending.Plan)
	}
	before, err := d.copyOf(s)
	if err != nil {
		return nil, err
	}
	return left, d.playJoined(s, p, def, before, merged.Design, merged)
}

// mergeMade merges the design with the database after a plan. all means that
// the whole plan was run; otherwise the design continues to propose the rest.
func mergeMade(base, to, design *designer.Schema, def designer.Definition, all bool, choose func(merge.Conflict) merge.Side) (*merge.Result, error) {
	if all {
		return merge.Definition(to, design, def, nil)
	}
	database, err := merge.AdoptHalfway(to, base, def)
	if err != nil {
		return nil, err
	}
	return merge.Schemas(base, design, database, choose)
}

// playJoined changes the design to the result of merging it with its database
// without conflicts, and its base to the database. This is not an undo step:
// the steps are rebased, as if before had always been after.
func (d *Designer) playJoined(s *designer.Schema, p *playResult, def designer.Definition, before, after *designer.Schema, merged *merge.Result) error {
	if d.shared != nil { // whose steps are the same on every host
		p.shared.published = true
		return d.playMerged(s, p, def, merged, "Take over what publishing has made")
	}
	if err := d.moveSteps(p, s, before, after, merged.Design); err != nil {
		return err
	}
	if err := p.rebase(def, merged.Database); err != nil {
		return err
	}
	p.row.seenVersion = p.row.baseVersion
	if c := s.ChangeTo(merged.Design); !c.Empty() {
		s.Redo(c)
		p.changes = []designer.Change{c}
	}
	return nil
}

// playChosen applies what a person chose between the design and its database.
// The choice is an undo step, the changes of the database are not, so that
// undoing the choice leads to the design's side of the conflicts on top of the
// current database.
func (d *Designer) playChosen(s *designer.Schema, p *playResult, def designer.Definition, base *designer.Schema, merged *merge.Result) error {
	ours, err := merge.Schemas(base, s, merged.Database, func(merge.Conflict) merge.Side { return merge.SideDesign })
	if err != nil {
		return err
	}
	if err := d.playJoined(s, p, def, base, merged.Database, &merge.Result{Design: ours.Design, Database: merged.Database}); err != nil {
		return err
	}
	if i := slices.IndexFunc(merged.Conflicts, merge.Conflict.Removes); i >= 0 {
		p.endSteps(d.row.steps, merged.Conflicts[i])
	}
	c := s.ChangeTo(merged.Design)
	if c.Empty() {
		return nil
	}
	c.Description = "Take over what changed in the database"
	s.Redo(c)
	p.brought = len(p.changes)
	p.changes, p.record, p.batch = append(p.changes, c), true, d.m.opts.NewBatch()
	return nil
}

// playMerged changes the design to the result of merging it with its database,
// as one undo step, and its base to the database.
func (d *Designer) playMerged(s *designer.Schema, p *playResult, def designer.Definition, merged *merge.Result, why string) error {
	if err := p.rebase(def, merged.Database); err != nil {
		return err
	}
	p.row.seenVersion = p.row.baseVersion
	c := s.ChangeTo(merged.Design)
	if c.Empty() {
		return nil
	}
	c.Description = why
	s.Redo(c)
	p.changes, p.record, p.batch = []designer.Change{c}, true, d.m.opts.NewBatch()
	return nil
}

// playDrift merges a design that has changes of its own with a changed
// database. If there are conflicts, the design is drifted until a person has
// chosen.
func (d *Designer) playDrift(s *designer.Schema, p *playResult, def designer.Definition, choose func(merge.Conflict) merge.Side) (open int, err error) {
	base, err := d.storedBase()
	if err != nil {
		return 0, err
	}
	merged, err := merge.Definition(base, s, def, choose)
	if err != nil {
		return 0, err
	}
	if merged.Open > 0 {
		return merged.Open, nil
	}
	if d.shared != nil {
		return 0, d.playMerged(s, p, def, merged, "Take over what changed in the database")
	}
	if len(merged.Conflicts) == 0 {
		return 0, d.playJoined(s, p, def, base, merged.Database, merged)
	}
	return 0, d.playChosen(s, p, def, base, merged)
}

// playGiveUp discards an interrupted publish: what it changed is part of the
// database now, and the rest is still proposed and will be planned again.
func (d *Designer) playGiveUp(s *designer.Schema, p *playResult, def designer.Definition, choose func(merge.Conflict) merge.Side) (open int, err error) {
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

// Rebase merges a drifted design with its database, or gives up an interrupted
// publish: choose returns for each conflict which side is taken. If it returns
// none for one, the refusal is a validation_error and nothing changes. expected
// is the version of the design that the choices were made for.
func (d *Designer) Rebase(ctx context.Context, src Source, expected string, by Caller, choose func(merge.Conflict) merge.Side) (Outcome, error) {
	if !d.publishing.TryRLock() {
		return Outcome{}, ErrPublishing
	}
	defer d.publishing.RUnlock()
	def, err := src.Read(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("read database of connection %q: %w", src.Name(), err)
	}
	return d.run(ctx, request{event: Refreshed, origin: by.Origin, client: by.Client, expected: expected,
		play: func(s *designer.Schema, p *playResult) error {
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
