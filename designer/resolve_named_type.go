package designer

import "github.com/berth-dev/berth/designer/clip"

// NamedTypeRef resolves a reference to a named type: by id where one is given
// and known, else by name without regard to case.
func (s *Schema) NamedTypeRef(ref TableRef) (*NamedType, *Error) {
	for _, id := range []ID{ref.ID, ID(ref.Name)} {
		if t := s.NamedType(id); t != nil {
			return t, nil
		}
	}
	if ref.Name == "" {
		return nil, badRequest(nil, "type needs a name")
	}
	if len(s.dialect.NamedTypes.Classes) == 0 {
		return nil, s.dialect.noTypes()
	}
	if schema, name, ok := s.dotted(ref.Name); ok && ref.Schema == "" {
		ref.Schema, ref.Name = schema, name
	}
	switch all := s.TypesNamed(TableName{ref.Schema, ref.Name}); len(all) {
	case 0:
		schema := ref.Schema
		if schema == "" {
			schema = s.defaultSchema
		}
		return nil, notFound(nearestNames(ref.Name, s.typeNames()), "Type '%s' not found", fullName(schema, ref.Name))
	case 1:
		return all[0], nil
	default:
		err := ambiguous("Type '%s' matches %d types that differ in case only: give the id of one of hints.matches in place of the name",
			fullName(ref.Schema, ref.Name), len(all))
		err.Hints = &Hints{}
		for _, t := range all[:min(len(all), MaxHints)] {
			err.Hints.Matches = append(err.Hints.Matches, Match{ID: t.ID, Name: fullName(t.Schema, t.Name)})
		}
		return nil, err
	}
}

// typeNames lists the named types as columns name them.
func (s *Schema) typeNames() []string { return mapEach(s.NamedTypes(), s.columnName) }

// noTypes refuses named types where the dialect has none.
func (d *Dialect) noTypes() *Error {
	return invalid("%s has no types of its own for edits to make: %s", d.Title, d.NamedTypes.Instead)
}

// The operations on named types.
type (
	addType struct {
		id     ID
		schema schemaRequest
		spec   TypeSpec
		values []TypeValue
		base   *Error // what is wrong with the type of a domain
	}
	setType struct {
		t      *NamedType
		schema *schemaRequest // nil: it stays
		set    TypeSet
		values []TypeValue // nil: they stay
		err    *Error      // what is wrong with the values
		base   *Error      // likewise with the type of a domain
	}
	dropType struct{ t *NamedType }
)

func (s *Schema) resolveType(e Edit) (operation, *Error) {
	if e.Op == AddType {
		if schema, name, ok := s.dotted(e.Type.Name); ok && e.Type.Schema == "" {
			e.Type.Schema, e.Type.Name = schema, name
		}
		return addType{id: s.newID(), schema: s.resolveSchema(e.Type.Schema, e.CreateSchema), spec: e.Type,
			values: s.newValues(e.Type.Values), base: s.dialect.resolveBase(e.Type.DomainSpec)}, nil
	}
	t, err := s.NamedTypeRef(e.TypeRef)
	if err != nil {
		return nil, err.At("type")
	}
	if e.Op == DropType {
		return dropType{t}, nil
	}
	o := setType{t: t, set: e.SetType, base: s.dialect.resolveBase(e.SetType.DomainSpec)}
	if e.SetType.Schema != nil {
		r := s.resolveSchema(*e.SetType.Schema, e.CreateSchema)
		o.schema = &r
	}
	o.values, o.err = s.resolveValues(t, e.SetType)
	return o, nil
}

func (s *Schema) newValues(names []string) []TypeValue {
	return mapEach(names, func(name string) TypeValue { return TypeValue{s.newID(), name} })
}

// resolveValues returns the values of a type as set wants them: renamed first,
// then in the order of the whole list if there is one, then with those added.
// A value of the same name keeps its id.
func (s *Schema) resolveValues(t *NamedType, set TypeSet) ([]TypeValue, *Error) {
	if set.Values == nil && len(set.RenameValues)+len(set.AddValues) == 0 {
		if set.Before != nil || set.After != nil {
			return nil, badRequest(nil, "before and after say where addValues go: give addValues")
		}
		return nil, nil
	}
	values := cloneList(t.Values)
	renamed := map[string]bool{}
	for i := range values {
		if to, ok := set.RenameValues[values[i].Name]; ok {
			renamed[values[i].Name] = true
			values[i].Name = to
		}
	}
	for from := range set.RenameValues {
		if !renamed[from] {
			return nil, notFound(nearestNames(from, t.ValueNames()), "Type %s has no value %s", t.quoted(), clip.Quote(from)).At("renameValues")
		}
	}
	if set.Values != nil {
		next := s.newValues(set.Values)
		for i := range next {
			if at := valueAt(values, next[i].Name); at >= 0 {
				next[i].ID = values[at].ID
			}
		}
		values = next
	}
	return s.withAdded(t, values, set)
}

// withAdded adds the values of set, behind the others unless it says where.
func (s *Schema) withAdded(t *NamedType, values []TypeValue, set TypeSet) ([]TypeValue, *Error) {
	at := len(values)
	for member, beside := range map[string]*string{"before": set.Before, "after": set.After} {
		if beside == nil {
			continue
		}
		i := valueAt(values, *beside)
		switch {
		case i < 0:
			return nil, notFound(nearestNames(*beside, t.ValueNames()), "Type %s has no value %s", t.quoted(), clip.Quote(*beside)).At(member)
		case set.Before != nil && set.After != nil:
			return nil, badRequest(nil, "before and after cannot both be given").At(member)
		case member == "after":
			i++
		}
		at = i
	}
	out := append(cloneList(values[:at]), s.newValues(set.AddValues)...)
	return append(out, values[at:]...), nil
}

// valueAt is where a value is in a list, -1 if it is not there.
func valueAt(values []TypeValue, name string) int {
	for i, v := range values {
		if v.Name == name {
			return i
		}
	}
	return -1
}
