package designer

import "strings"

// Apply makes e, or refuses it and changes nothing. A caller that means
// several edits as one applies them in turn and, should one fail, takes the
// others back with [Schema.Undo], last one first.
//
// The error's reason is not_found, ambiguous_identifier, validation_error
// or, for an edit that lacks what it needs, invalid_request.
func (s *Schema) Apply(e Edit) (Change, *Error) {
	if e.Table.Schema == "" && e.Table.ID == "" {
		e.Table.Schema = s.defaultSchema // in the description too: it outlives the caller's context
	}
	if e.TypeRef.Schema == "" && e.TypeRef.ID == "" && !strings.Contains(e.TypeRef.Name, ".") {
		e.TypeRef.Schema = s.defaultSchema
	}
	if e.Type.Schema == "" && !strings.Contains(e.Type.Name, ".") {
		e.Type.Schema = s.defaultSchema
	}
	op, err := s.resolve(e)
	if err != nil {
		return Change{}, err
	}
	t := &tx{state{s: s}}
	op.write(t)
	if err := op.check(rules{t.state}); err != nil {
		return Change{}, err
	}
	return t.commit(Describe(e)), nil
}

// state is a schema with what one edit makes of the tables it touches. It is
// for reading: see [tx] and [rules].
type state struct {
	s      *Schema
	edited []TableChange
	types  []TypeChange
}

// table returns the table as the edit has it, nil where it is gone.
func (st state) table(id ID) *Table {
	for _, c := range st.edited {
		if c.ID() == id {
			return c.After
		}
	}
	return st.s.ByID(id)
}

// tx makes the copies that an edit writes to. Nothing reaches the schema
// before [rules] have allowed the whole.
type tx struct{ state }

// draft returns the copy of the table that the edit may write to.
func (t *tx) draft(table *Table) *Table {
	for _, c := range t.edited {
		if c.ID() == table.ID {
			return c.After
		}
	}
	c := table.Clone()
	t.edited = append(t.edited, TableChange{Before: table, After: c})
	return c
}

// commit puts the copies into the schema. What is as it was before is no part
// of the change.
func (t *tx) commit(description string) Change {
	change := Change{Description: description, Tables: []TableChange{}}
	for _, c := range t.edited {
		if c.After != nil && t.s.dialect.Settle != nil {
			t.s.dialect.Settle(c.After)
		}
		if c.Before == nil || c.After == nil || !c.Before.Equal(c.After) {
			change.Tables = append(change.Tables, c)
		}
	}
	for _, c := range t.types {
		if c.Before == nil || c.After == nil || !c.Before.same(c.After) {
			change.Types = append(change.Types, c)
		}
	}
	t.s.Redo(change)
	return change
}
