package designer

import "slices"

// withTypes returns a definition with the types of s that it leaves as they
// are. Without replace the types of def are added, or take the place of those
// of the same name; with it they are all. A definition without any says nothing
// of types, as one of a file that was written before designs had them.
//
// What a type is granted and used by is the database's, and stays. So does its
// comment without replace: not every format has one.
func (s *Schema) withTypes(def Definition, replace bool) Definition {
	var rest, own []Object
	for _, o := range def.Objects {
		if s.dialect.EditsType(o) {
			own = append(own, o)
		} else {
			rest = append(rest, o)
		}
	}
	taken := map[ID]bool{}
	for i, o := range own {
		old := s.only(TableName{o.Schema, o.Name})
		if old == nil {
			continue
		}
		taken[old.ID] = true
		t := namedTypeOf(o)
		t.Grants, t.Uses = old.Grants, old.Uses
		if t.Schema == "" || Fold(t.Schema) == Fold(old.Schema) {
			t.Schema = old.Schema
		}
		if Fold(t.Name) == Fold(old.Name) {
			t.Name = old.Name
		}
		if t.Comment == "" && !replace {
			t.Comment = old.Comment
		}
		own[i] = t.object(s.dialect)
	}
	if !replace || len(own) == 0 {
		for _, t := range s.NamedTypes() {
			if !taken[t.ID] {
				own = append(own, t.object(s.dialect))
			}
		}
	}
	def.Objects = slices.Concat(rest, own)
	return def
}

// only is the type of a name, nil where there is none or several.
func (s *Schema) only(name TableName) *NamedType {
	if all := s.TypesNamed(name); len(all) == 1 {
		return all[0]
	}
	return nil
}

// checkTypes applies the rules of edits to the types that a change makes of
// those of s; next is s with the change.
func (s *Schema) checkTypes(next *Schema, changes []TypeChange) *Error {
	for _, c := range changes {
		if c.After == nil {
			if err := s.checkFree(c.Before); err != nil {
				return err
			}
			continue
		}
		if c.Before == nil || c.Before.Schema != c.After.Schema || c.Before.Name != c.After.Name {
			if err := next.checkTypeName(c.After.Schema, c.After.Name, c.After); err != nil {
				return err
			}
		}
		if c.After.Domain != nil {
			continue
		}
		if err := s.dialect.checkTypeValues(c.After.Name, c.After.Values); err != nil {
			return err
		}
	}
	return nil
}
