package designer

import "github.com/berth-dev/berth/designer/clip"

// Import makes tables that were defined elsewhere, in a script or a file,
// part of the schema, as one change. A table of the same name is replaced and
// keeps its id, and its parts keep theirs by name; the others stay. With
// replace set the schema becomes def as a whole. What is new gets the names
// and the indexes that an edit would give it; a primary key without a name
// keeps the one it has. An expression that says what the schema's says, in
// another spelling, is no change.
//
// What edits may not make is refused: illegal names, unknown types, foreign
// keys that lead nowhere, SQL text that reaches beyond itself. Types that edits
// make come with the tables. Views, triggers and other objects are not taken
// over. The reason is
// validation_error; nothing has changed then.
func (s *Schema) Import(def Definition, replace bool) (Change, *Error) {
	def = s.withTypes(def, replace)
	if !replace {
		def = s.with(def)
	}
	next, err := s.Adopt(s.keepSpelling(def))
	if err != nil {
		return Change{}, invalid("The definition cannot be used: %s", clip.Name(err.Error()))
	}
	next.SetCatalog(s.Catalog())
	next.settle()
	if err := s.checkTypes(next, s.typeChangesTo(next)); err != nil {
		return Change{}, err
	}
	for _, tc := range s.ChangeTo(next).Tables {
		if tc.After == nil {
			continue
		}
		if err := next.CheckTable(tc.Before, tc.After); err != nil {
			return Change{}, err
		}
		next.completeImported(tc.Before, tc.After)
	}
	c := s.ChangeTo(next)
	s.Redo(c)
	return c, nil
}

// settle makes of each table what the database would say of it.
func (s *Schema) settle() {
	if s.dialect.Settle == nil {
		return
	}
	changes := make([]TableChange, 0, len(s.entries))
	for _, t := range s.Tables() {
		settled := t.Clone()
		s.dialect.Settle(settled)
		if !t.Equal(settled) {
			changes = append(changes, TableChange{Before: t, After: settled})
		}
	}
	s.put(changes)
}

// with is the schema's definition with the tables of def added or in place of
// those of the same name. Triggers are the database's: a table keeps its own
// and gets no others; see [Schema.NotImported].
func (s *Schema) with(def Definition) Definition {
	all := s.Definition()
	all.Objects = def.Objects
	at := map[nameKey]int{}
	for i, t := range all.Tables {
		at[s.keyOf(t.Schema, t.Name)] = i
	}
	for _, t := range def.Tables {
		if i, ok := at[s.keyOf(t.Schema, t.Name)]; ok {
			t.Triggers = all.Tables[i].Triggers
			all.Tables[i] = t
		} else {
			t.Triggers = nil
			all.Tables = append(all.Tables, t)
		}
	}
	return all
}
