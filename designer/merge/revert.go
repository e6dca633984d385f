package merge

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// Revert takes out of the schema what led from before to after, two earlier
// states of it under the same ids, and leaves what came later. What it brings
// back has the ids it had, so that a column dropped and brought back is the
// database's column still. Where later changes did something else to the same
// things nothing is done and the conflicts are returned; the refusal is for
// what would break a rule of edits.
func Revert(s, before, after *designer.Schema) (designer.Change, []Conflict, *designer.Error) {
	// What was dropped and what was later made under its name are two things.
	merged, err := mergeShared(after, s, before, nil)
	if err != nil {
		return designer.Change{}, nil, rejected("What came later builds on this: %s", clip.Name(err.Error()))
	}
	if merged.Open > 0 {
		return designer.Change{}, merged.Conflicts, nil
	}
	next := merged.Design
	next.SetCatalog(s.Catalog())
	for _, tc := range s.ChangeTo(next).Tables {
		if refusal := checkReverted(next, before, tc); refusal != nil {
			return designer.Change{}, nil, refusal
		}
	}
	c := s.ChangeTo(next)
	s.Redo(c)
	return c, nil, nil
}

// checkReverted applies the rules of edits to a table that s has again in an
// older form; what the older form had in full was allowed once, whatever the
// rules for new things are.
func checkReverted(s, before *designer.Schema, tc designer.TableChange) *designer.Error {
	t := tc.After
	if t == nil {
		return nil
	}
	if err := s.CheckTableName(t.Schema, t.Name, t); err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, name := range partNames(t) {
		if taken[name] {
			return rejected("Table %s would have two parts of one name (%s): rename the newer one first", quoted(t), clip.Name(name))
		}
		taken[name] = true
	}
	old := before.ByID(t.ID)
	if old == nil {
		old = tc.Before
	}
	return s.CheckTable(old, t)
}
