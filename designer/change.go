package designer

import "slices"

// Change is one committed edit: every table and type it touched, before and after. It
// is what the journal keeps and what undo and redo need; JSON carries it
// without loss.
type Change struct {
	Description string        `json:"description,omitempty"` // the edit in words, see [Describe]
	Tables      []TableChange `json:"tables"`
	Types       []TypeChange  `json:"types,omitempty"`
}

// Empty reports whether the edit asked for what is already so.
func (c Change) Empty() bool { return len(c.Tables)+len(c.Types) == 0 }

// TableChange is one table of a [Change]. Before is nil for a table added,
// After for a table dropped; never both.
type TableChange struct {
	Before *Table `json:"before,omitempty"`
	After  *Table `json:"after,omitempty"`
}

// Inverse returns the change that takes c back.
func (c Change) Inverse() Change {
	inv := Change{Description: c.Description, Tables: make([]TableChange, len(c.Tables))}
	for i, tc := range c.Tables {
		inv.Tables[len(c.Tables)-1-i] = TableChange{Before: tc.After, After: tc.Before}
	}
	for _, tc := range slices.Backward(c.Types) {
		inv.Types = append(inv.Types, TypeChange{Before: tc.After, After: tc.Before})
	}
	return inv
}

// InverseAll returns the changes that take cs back, last one first.
func InverseAll(cs []Change) []Change {
	out := make([]Change, 0, len(cs))
	for _, c := range slices.Backward(cs) {
		out = append(out, c.Inverse())
	}
	return out
}

// ID returns the id of the table.
func (tc TableChange) ID() ID {
	if tc.After != nil {
		return tc.After.ID
	}
	return tc.Before.ID
}

// Undo takes back c, which must be the last change of s that has not been
// taken back: changes are undone in the reverse of their order.
func (s *Schema) Undo(c Change) { s.Redo(c.Inverse()) }

// Redo makes c again, which must be the change undone last.
func (s *Schema) Redo(c Change) {
	s.putTypes(c.Types)
	s.put(c.Tables)
}

// ChangeTo returns the change that makes the tables and types of s those of
// next, such as the result of [Schema.Adopt]. They are matched by id. The
// schema list and the views are no part of a change.
func (s *Schema) ChangeTo(next *Schema) Change {
	c := Change{Tables: []TableChange{}, Types: s.typeChangesTo(next)}
	for _, t := range s.Tables() {
		e := next.entries[t.ID]
		if e == nil {
			c.Tables = append(c.Tables, TableChange{Before: t})
		} else if !t.Equal(e.table) {
			c.Tables = append(c.Tables, TableChange{Before: t, After: e.table})
		}
	}
	for _, t := range next.Tables() {
		if s.entries[t.ID] == nil {
			c.Tables = append(c.Tables, TableChange{After: t})
		}
	}
	return c
}
