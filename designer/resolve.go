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
		return nil, ambiguous("Table '%s' matches %d tables that differ in case only: give the id", fullName(schema, ref.Name), len(ids))
	}
}

// Column resolves a reference to a column of t as [Schema.Table] does.
func (t *Table) Column(ref ObjectRef) (*Column, *Error) {
	i, err := lookUp(t, "Column", ref, len(t.Columns), func(i int) (ID, string) {
		return t.Columns[i].ID, t.Columns[i].Name
	})
	if err != nil {
		return nil, err
	}
	c := t.Columns[i]
	return &c, nil
}

func (t *Table) foreignKeyAt(ref ObjectRef) (int, *Error) {
	return lookUp(t, "Foreign key", ref, len(t.ForeignKeys), func(i int) (ID, string) {
		return t.ForeignKeys[i].ID, t.ForeignKeys[i].Name
	})
}

func (t *Table) indexAt(ref ObjectRef) (int, *Error) {
	return lookUp(t, "Index", ref, len(t.Indexes), func(i int) (ID, string) {
		return t.Indexes[i].ID, t.Indexes[i].Name
	})
}

func (t *Table) checkAt(ref ObjectRef) (int, *Error) {
	return lookUp(t, "Check", ref, len(t.Checks), func(i int) (ID, string) {
		return t.Checks[i].ID, t.Checks[i].Name
	})
}

// lookUp finds the one of n objects of t that ref means.
func lookUp(t *Table, kind string, ref ObjectRef, n int, at func(int) (ID, string)) (int, *Error) {
	found, matches := -1, 0
	for i := range n {
		id, name := at(i)
		if ref.ID != "" && id == ref.ID {
			return i, nil
		}
		if ref.Name != "" && strings.EqualFold(name, ref.Name) {
			found = i
			matches++
		}
	}
	switch {
	case matches == 1:
		return found, nil
	case matches > 1:
		return -1, ambiguous("%s %s of table %s matches %d that differ in case only: give the id",
			kind, clip.Quote(ref.Name), t.quoted(), matches)
	case ref.Name == "" && ref.ID == "":
		return -1, badRequest(nil, "%s needs a name", strings.ToLower(kind))
	}
	if ref.Name == "" { // an id is nothing for the person who reads this
		return -1, notFound(nil, "The %s of that id is not in table %s: it was dropped, or never there; name it, or read the design again",
			strings.ToLower(kind), t.quoted())
	}
	wanted := ref.Name
	if kind == "Column" {
		return -1, notFound(nearestColumns(t, wanted), "Column %s not found in table %s", clip.Quote(wanted), t.quoted())
	}
	var names []string
	for i := range n {
		if _, name := at(i); name != "" {
			names = append(names, name)
		}
	}
	return -1, notFound(nearestNames(wanted, names), "%s %s not found in table %s", kind, clip.Quote(wanted), t.quoted())
}
