package designer

import (
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// Table resolves a reference: by id where one is given and known, else by
// name without regard to case.
func (s *Schema) Table(ref TableRef) (*Table, *Error) {
	if e := s.entries[ref.ID]; e != nil {
		return e.table, nil
	}
	if e := s.entries[ID(ref.Name)]; e != nil {
		return e.table, nil
	}
	if ref.Name == "" {
		if ref.ID != "" {
			return nil, notFound(nil, "The table of that id is not in the design: it was dropped, or never there; name the table, or read the design again")
		}
		return nil, badRequest(nil, "table needs a name")
	}
	schema := ref.Schema
	if schema == "" {
		schema = s.defaultSchema
	}
	switch ids := s.names[s.keyOf(schema, ref.Name)]; len(ids) {
	case 0:
		hints := s.nearestTables(schema, ref.Name)
		if own, rest, ok := s.dotted(ref.Name); ok {
			return nil, notFound(hints, "Table %s not found: give schema %s and name %s apart", clip.Quote(ref.Name), clip.Quote(own), clip.Quote(rest))
		}
		return nil, notFound(hints, "Table '%s' not found", fullName(schema, ref.Name))
	case 1:
		return s.entries[ids[0]].table, nil
	default:
		err := ambiguous("Table '%s' matches %d tables that differ in case only: give the id of one of hints.matches in place of the name", fullName(schema, ref.Name), len(ids))
		err.Hints = &Hints{}
		for _, id := range ids[:min(len(ids), MaxHints)] {
			err.Hints.Matches = append(err.Hints.Matches, Match{ID: id, Name: s.entries[id].table.fullName()})
		}
		return nil, err
	}
}

// Column resolves a reference to a column of t as [Schema.Table] does.
func (t *Table) Column(ref ObjectRef) (*Column, *Error) {
	i, err := lookUp(t, "Column", ref, len(t.Columns), func(i int) Match {
		return Match{ID: t.Columns[i].ID, Name: t.Columns[i].Name}
	})
	if err != nil {
		return nil, err
	}
	c := t.Columns[i]
	return &c, nil
}

func (t *Table) foreignKeyAt(ref ObjectRef) (int, *Error) {
	return lookUp(t, "Foreign key", ref, len(t.ForeignKeys), func(i int) Match {
		k := t.ForeignKeys[i]
		var columns []ID
		for _, m := range k.Mappings {
			columns = append(columns, m.Column)
		}
		return Match{ID: k.ID, Name: k.Name, On: t.listColumns(columns)}
	})
}

func (t *Table) indexAt(ref ObjectRef) (int, *Error) {
	return lookUp(t, "Index", ref, len(t.Indexes), func(i int) Match {
		x := t.Indexes[i]
		var columns []ID
		for _, p := range x.Parts {
			columns = append(columns, p.Column)
		}
		return Match{ID: x.ID, Name: x.Name, On: t.listColumns(columns)}
	})
}

func (t *Table) checkAt(ref ObjectRef) (int, *Error) {
	return lookUp(t, "Check", ref, len(t.Checks), func(i int) Match {
		return Match{ID: t.Checks[i].ID, Name: t.Checks[i].Name, On: clip.Name(t.Checks[i].Expression)}
	})
}

// listColumns joins the names of columns, an expression's place left out.
func (t *Table) listColumns(ids []ID) string {
	names := t.ColumnNames()
	var list []string
	for _, id := range ids {
		if id != "" {
			list = append(list, clip.Name(names[id]))
		}
	}
	return clip.Text(strings.Join(list, ", "), maxOn)
}

// maxOn bounds what tells objects without a name apart, in bytes.
const maxOn = 120

// lookUp finds the one of n objects of t that ref means. A name that is an id
// means that object: a mapping and an index have names alone.
func lookUp(t *Table, kind string, ref ObjectRef, n int, at func(int) Match) (int, *Error) {
	var matches, unnamed []Match
	found := -1
	for i := range n {
		m := at(i)
		if ref.ID != "" && m.ID == ref.ID || ref.Name != "" && m.ID == ID(ref.Name) {
			return i, nil
		}
		switch {
		case m.Name == "":
			unnamed = append(unnamed, m)
		case strings.EqualFold(m.Name, ref.Name):
			found = i
			matches = append(matches, Match{ID: m.ID, Name: clip.Name(m.Name)})
		}
	}
	switch {
	case len(matches) == 1:
		return found, nil
	case len(matches) > 1:
		err := ambiguous("%s %s of table %s matches %d that differ in case only: give the id of one of hints.matches in place of the name",
			kind, clip.Quote(ref.Name), t.quoted(), len(matches))
		err.Hints = &Hints{Matches: matches[:min(len(matches), MaxHints)]}
		return -1, err
	}
	err := notThere(t, kind, ref, n, at)
	if len(unnamed) == 0 {
		return -1, err
	}
	if err.Hints == nil {
		err.Hints = &Hints{}
	}
	err.Message += "; those without a name are in hints.matches, for their ids"
	err.Hints.Matches = unnamed[:min(len(unnamed), MaxHints)]
	return -1, err
}

// notThere words a reference that means nothing.
func notThere(t *Table, kind string, ref ObjectRef, n int, at func(int) Match) *Error {
	switch {
	case ref.Name == "" && ref.ID == "":
		return badRequest(nil, "%s needs a name", strings.ToLower(kind))
	case ref.Name == "": // an id is nothing for the person who reads this
		return notFound(nil, "The %s of that id is not in table %s: it was dropped, or never there; name it, or read the design again",
			strings.ToLower(kind), t.quoted())
	case kind == "Column":
		return notFound(nearestColumns(t, ref.Name), "Column %s not found in table %s", clip.Quote(ref.Name), t.quoted())
	}
	var names []string
	for i := range n {
		if name := at(i).Name; name != "" {
			names = append(names, name)
		}
	}
	return notFound(nearestNames(ref.Name, names), "%s %s not found in table %s", kind, clip.Quote(ref.Name), t.quoted())
}
