package designer

import "github.com/berth-dev/berth/designer/clip"

// Revert takes out of the schema what led from before to after, two earlier
// states of it under the same ids, and leaves what came later. What it brings
// back has the ids it had, so that a column dropped and brought back is the
// database's column still. Where later changes did something else to the same
// things nothing is done and the conflicts are returned; the refusal is for
// what would break a rule of edits.
func (s *Schema) Revert(before, after *Schema) (Change, []Conflict, *Error) {
	// What was dropped and what was later made under its name are two things.
	merged, err := mergeShared(after, s, before, nil)
	if err != nil {
		return Change{}, nil, invalid("What came later builds on this: %s", clip.Name(err.Error()))
	}
	if merged.Open > 0 {
		return Change{}, merged.Conflicts, nil
	}
	next := merged.Design
	next.SetCatalog(s.Catalog())
	for _, tc := range s.ChangeTo(next).Tables {
		if refusal := next.checkReverted(before, tc); refusal != nil {
			return Change{}, nil, refusal
		}
	}
	c := s.ChangeTo(next)
	s.Redo(c)
	return c, nil, nil
}

// checkReverted applies the rules of edits to a table that s has again in an
// older form; what the older form had in full was allowed once, whatever the
// rules for new things are.
func (s *Schema) checkReverted(before *Schema, tc TableChange) *Error {
	t := tc.After
	if t == nil {
		return nil
	}
	if err := s.checkTableName(t.Schema, t.Name, t); err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, name := range t.partNames() {
		if taken[name] {
			return invalid("Table %s would have two parts of one name (%s): rename the newer one first", t.quoted(), clip.Name(name))
		}
		taken[name] = true
	}
	old := before.ByID(t.ID)
	if old == nil {
		old = tc.Before
	}
	return s.checkImported(old, t)
}
