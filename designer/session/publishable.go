package session

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// planner is a source that plans, as a [Database] does. Planning asks nothing
// of the database.
type planner interface {
	Plan(d *designer.Diff) (designer.Plan, error)
}

// checkPublishable refuses the first of the batch's changes since which a table
// can no longer be published, and takes it and what came after it back. s has
// the changes of p.
//
// It looks at the batch's end first: what an edit needs may come after it. A
// table that was blocked before the batch stays a matter of get_changes, since
// the edit may be a step towards mending it, and so does a draft. Nothing is
// judged while a person has to choose between design and database, or a publish
// was interrupted.
func (d *Designer) checkPublishable(s *designer.Schema, p *playResult) error {
	if d.plans == nil || d.pending != nil || d.row.sync() == Drifted || len(p.changes) == 0 {
		return nil
	}
	base, err := d.origin(s, p.changes)
	if err != nil {
		return err
	}
	if len(d.newlyBlocked(base, s, nil)) == 0 {
		return nil
	}
	changes := p.changes
	d.revertLocked(p)
	known := map[designer.ID]bool{}
	for _, b := range d.newlyBlocked(base, s, nil) {
		known[b.ID()] = true
	}
	for _, c := range changes {
		s.Redo(c)
		p.changes = append(p.changes, c)
	}
	if len(d.newlyBlocked(base, s, known)) == 0 {
		return nil
	}
	d.revertLocked(p)
	for i, c := range changes {
		s.Redo(c)
		if blocked := d.newlyBlocked(base, s, known); len(blocked) > 0 {
			s.Undo(c)
			p.applied, p.failed, p.refusal = i, i, unpublishable(blocked)
			return nil
		}
		p.changes = append(p.changes, c)
	}
	return nil
}

// newlyBlocked lists the tables that cannot be published, each by itself, and
// are not among known.
func (d *Designer) newlyBlocked(base, design *designer.Schema, known map[designer.ID]bool) []designer.BlockedPart {
	_, _, blocked, err := designer.PlanAround(designer.DiffOf(base, design), d.plans.Plan)
	if err != nil {
		return nil // no part of the design is to blame: get_changes says it
	}
	var list []designer.BlockedPart
	for _, b := range blocked {
		if !b.Draft && b.With == (designer.TableName{}) && !known[b.ID()] {
			list = append(list, b)
		}
	}
	return list
}

// unpublishable words the refusal of an edit.
func unpublishable(blocked []designer.BlockedPart) *designer.Error {
	b := blocked[0]
	message := fmt.Sprintf("This could not be published. Table %s.%s: %s", b.Table.Schema, b.Table.Name, b.Message)
	if more := len(blocked) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more tables)", more)
	}
	return &designer.Error{Reason: designer.ValidationError, Message: message}
}

// origin returns the database as the design last adopted it, kept until it is
// adopted again. s is the design as committed, and changes.
func (d *Designer) origin(s *designer.Schema, changes []designer.Change) (base *designer.Schema, err error) {
	switch {
	case d.base != nil:
		return d.base, nil
	case d.row.version != d.row.baseVersion:
		base, err = d.storedBase()
	default:
		for _, c := range designer.InverseAll(changes) {
			s.Redo(c)
		}
		base, err = d.copyOf(s) // which shares the tables
		for _, c := range changes {
			s.Redo(c)
		}
	}
	if err == nil {
		d.base = base
	}
	return base, err
}
