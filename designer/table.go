package designer

import (
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer/clip"
)

// Clone returns a copy that shares nothing with t. Empty lists become nil, and
// Columns an empty list, so that equal tables are equal however they came
// about and survive a round trip through JSON unchanged.
func (t *Table) Clone() *Table {
	c := *t
	c.Columns = append(make([]Column, 0, len(t.Columns)), t.Columns...)
	for i := range c.Columns {
		c.Columns[i].Values = cloneList(c.Columns[i].Values)
		c.Columns[i].Options = cloneOptions(c.Columns[i].Options)
	}
	if t.PrimaryKey != nil {
		c.PrimaryKey = &PrimaryKey{Name: t.PrimaryKey.Name, Columns: slices.Clone(t.PrimaryKey.Columns),
			Options: cloneOptions(t.PrimaryKey.Options)}
	}
	c.ForeignKeys = cloneEach(t.ForeignKeys, ForeignKey.clone)
	c.Indexes = cloneEach(t.Indexes, Index.clone)
	c.Checks = cloneEach(t.Checks, Check.clone)
	c.Triggers = cloneList(t.Triggers)
	c.Options = cloneOptions(t.Options)
	return &c
}

func cloneList[T any](list []T) []T { return cloneEach(list, func(v T) T { return v }) }

func cloneOptions(o map[string]string) map[string]string {
	if len(o) == 0 {
		return nil
	}
	return maps.Clone(o)
}

func cloneEach[T any](list []T, clone func(T) T) []T {
	if len(list) == 0 {
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = clone(v)
	}
	return out
}

func (k ForeignKey) clone() ForeignKey {
	k.Mappings = slices.Clone(k.Mappings)
	k.Options = cloneOptions(k.Options)
	if k.Dangling != nil {
		d := *k.Dangling
		d.Columns = slices.Clone(d.Columns)
		k.Dangling = &d
	}
	return k
}

func (x Index) clone() Index {
	x.Parts = slices.Clone(x.Parts)
	x.Include = cloneList(x.Include)
	x.Options = cloneOptions(x.Options)
	return x
}

func (k Check) clone() Check {
	k.Options = cloneOptions(k.Options)
	return k
}

// ColumnByID returns the column with this id, nil if t has none. The pointer is
// into t: only a table that has not entered a schema may be written through.
func (t *Table) ColumnByID(id ID) *Column {
	for i := range t.Columns {
		if t.Columns[i].ID == id {
			return &t.Columns[i]
		}
	}
	return nil
}

// inKey reports whether the column is part of the primary key.
func (t *Table) inKey(id ID) bool {
	return t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, id)
}

// setKey puts a column into the primary key, at its end, or takes it out.
func (t *Table) setKey(id ID, in bool) {
	switch has := t.inKey(id); {
	case in == has:
	case !in:
		t.PrimaryKey.Columns = slices.DeleteFunc(t.PrimaryKey.Columns, func(c ID) bool { return c == id })
		if len(t.PrimaryKey.Columns) == 0 {
			t.PrimaryKey = nil
		}
	case t.PrimaryKey == nil:
		t.PrimaryKey = &PrimaryKey{Columns: []ID{id}}
	default:
		t.PrimaryKey.Columns = append(t.PrimaryKey.Columns, id)
	}
}

// label names k for a message, by its id where the database has no name.
func (k ForeignKey) label() string { return label(k.Name, k.ID) }

func label(name string, id ID) string {
	if name == "" {
		return "(unnamed, id " + clip.Name(string(id)) + ")"
	}
	return clip.Name(name)
}

// uses reports whether k maps from the column.
func (k ForeignKey) uses(column ID) bool {
	return slices.ContainsFunc(k.Mappings, func(m Mapping) bool { return m.Column == column })
}

// refersTo reports whether k maps to the column.
func (k ForeignKey) refersTo(column ID) bool {
	return slices.ContainsFunc(k.Mappings, func(m Mapping) bool { return m.RefColumn == column })
}

// ColumnNames returns the columns' names by their ids.
func (t *Table) ColumnNames() map[ID]string {
	names := make(map[ID]string, len(t.Columns))
	for _, c := range t.Columns {
		names[c.ID] = c.Name
	}
	return names
}

func namesOf(names map[ID]string, ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = names[id]
	}
	return out
}

// keep returns the elements that pass, nil where none does.
func keep[T any](list []T, pass func(T) bool) []T {
	var out []T
	for _, v := range list {
		if pass(v) {
			out = append(out, v)
		}
	}
	return out
}
