package merge

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
)

// types merges every named type, by id.
func (m *merger) types() []*designer.NamedType {
	out := []*designer.NamedType{} // not nil: none
	seen := map[designer.ID]bool{}
	for _, t := range slices.Concat(m.design.NamedTypes(), m.database.NamedTypes(), m.base.NamedTypes()) {
		if seen[t.ID] {
			continue
		}
		seen[t.ID] = true
		if merged := m.namedType(m.base.NamedType(t.ID), m.design.NamedType(t.ID), m.database.NamedType(t.ID)); merged != nil {
			out = append(out, merged)
		}
	}
	return out
}

// namedType merges one type; any of the three may be nil, and so the result.
func (m *merger) namedType(b, o, t *designer.NamedType) *designer.NamedType {
	at := func(n *designer.NamedType, what string) Conflict {
		return Conflict{Table: n.TypeName(), Part: "type", What: what}
	}
	switch {
	case o == nil && t == nil:
		return nil
	case b == nil && o == nil:
		return t
	case b == nil && t == nil:
		return o
	case b == nil:
		b = &designer.NamedType{ID: o.ID, Schema: o.Schema, Name: o.Name}
	case o == nil && b.Equal(t), t == nil && b.Equal(o):
		return nil
	case o == nil:
		return sideOf(m.decide(at(t, "dropped in the design, changed in the database")), nil, t)
	case t == nil:
		return sideOf(m.decide(at(o, droppedAndChanged)), o, nil)
	}
	where, out := at(o, ""), o.Clone()
	out.Name = mergeField(m, where, "name", b.Name, o.Name, t.Name)
	out.Schema = mergeField(m, where, "schema", b.Schema, o.Schema, t.Schema)
	out.Comment = mergeField(m, where, "comment", b.Comment, o.Comment, t.Comment)
	out.Domain = mergeOf(m, where, "domain", b.Domain, o.Domain, t.Domain, (*designer.Domain).Equal, (*designer.Domain).Text)
	out.Values = mergeOf(m, where, "values", b.Values, o.Values, t.Values, sameValues, valuesText)
	out.Grants, out.Uses = t.Grants, t.Uses // carried: the database says
	return out.Clone()
}

// needed are types that one side dropped and columns of the merged tables have.
func (m *merger) needed(types []*designer.NamedType, tables map[designer.ID]*designer.Table) (list []*designer.NamedType) {
	for _, t := range tables {
		for _, c := range t.Columns {
			for _, s := range []*designer.Schema{m.design, m.database} {
				of := s.TypeOf(c)
				is := func(n *designer.NamedType) bool { return n.ID == of.ID || n.TypeName() == of.TypeName() }
				if of != nil && !slices.ContainsFunc(types, is) && !slices.ContainsFunc(list, is) {
					list = append(list, of)
				}
			}
		}
	}
	return list
}

func sameValues(a, b []designer.TypeValue) bool {
	return slices.EqualFunc(a, b, func(v, w designer.TypeValue) bool { return v.Name == w.Name })
}

func valuesText(list []designer.TypeValue) string {
	return strings.Join(each(list, func(v designer.TypeValue) string { return v.Name }), ", ")
}

// shareTypes returns database with the design's ids on the types that both
// have added under one name since base.
func shareTypes(base, design, database *designer.Schema) (list []*designer.NamedType, changed bool) {
	list = database.NamedTypes()
	for i, t := range list {
		all := design.TypesNamed(t.TypeName())
		if base.NamedType(t.ID) != nil || len(all) != 1 || all[0].ID == t.ID || base.NamedType(all[0].ID) != nil {
			continue
		}
		list[i], changed = withValueIDs(t, all[0]), true
	}
	return list, changed
}

// checkTypes verifies that the types of a table's columns, as far as they are
// types that edits make, are there.
func (v *Rebase) checkTypes(t *designer.Table) *designer.Error {
	for _, c := range t.Columns {
		if of := v.base.TypeOf(c); of != nil && v.state.TypeOf(c) == nil {
			return rejected("In table %s, column %s needs type '%s'", quoted(t), clip.Quote(c.Name), of.TypeName())
		}
	}
	return nil
}

// withValueIDs returns a copy of t with the ids of another type, and of its
// values of the same name.
func withValueIDs(t, from *designer.NamedType) *designer.NamedType {
	c := t.Clone()
	c.ID = from.ID
	for i := range c.Values {
		for _, v := range from.Values {
			if v.Name == c.Values[i].Name {
				c.Values[i].ID = v.ID
			}
		}
	}
	return c
}

// halfwayTypes gives the types that a database still has under a name of base
// the id that they have there.
func halfwayTypes(s, base, now *designer.Schema) (list []*designer.NamedType, changed bool) {
	list = now.NamedTypes()
	for i, t := range list {
		all := base.TypesNamed(t.TypeName())
		if s.NamedType(t.ID) == nil && len(all) == 1 && now.NamedType(all[0].ID) == nil {
			list[i], changed = withValueIDs(t, all[0]), true
		}
	}
	return list, changed
}

// namedTypeChange brings the change of a type over to the new database.
func (v *Rebase) namedTypeChange(c designer.Change, tc designer.TypeChange) (moved designer.TypeChange, refusal *designer.Error) {
	id := tc.ID()
	now := v.state.NamedType(id)
	next := v.namedType(v.base.NamedType(id), tc.After, v.database.NamedType(id))
	if v.gone != nil {
		return moved, v.gone.refusal()
	}
	if next != nil {
		for _, other := range v.state.TypesNamed(next.TypeName()) {
			if other.ID != id {
				return moved, rejected("The database has another type '%s'", next.TypeName())
			}
		}
	}
	if next == nil && now != nil {
		for _, u := range v.state.UsesOf(now) {
			if !slices.ContainsFunc(c.Tables, func(other designer.TableChange) bool { return other.ID() == u.Table.ID }) {
				return moved, rejected("In table %s, column %s has type '%s' in the database", quoted(u.Table), clip.Quote(u.Column.Name), now.TypeName())
			}
		}
	}
	return designer.TypeChange{Before: now, After: next}, nil
}
