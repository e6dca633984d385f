package designer

import (
	"slices"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/clip"
)

func (o addType) check(r rules) *Error {
	d := r.s.dialect
	if len(d.NamedTypes.Classes) == 0 {
		return d.noTypes().At("type")
	}
	if err := r.checkSchema(o.schema); err != nil {
		return err.At("schema").At("type")
	}
	if err := r.s.checkTypeName(o.schema.name, o.spec.Name, nil); err != nil {
		return err.At("name").At("type")
	}
	switch {
	case o.spec.gives() && len(o.values) > 0:
		return badRequest(nil, "type has values and dataType: an enum has values, a domain has a dataType").At("values").At("type")
	case o.spec.gives() && o.spec.DataType == nil:
		return badRequest(nil, "type needs dataType, the type that the domain restricts").At("dataType").At("type")
	case o.spec.gives():
		return d.checkDomain(o.spec.DomainSpec, o.base).within("type")
	case len(o.values) == 0:
		return badRequest(nil, "type needs values, as [\"open\",\"closed\"], or, of a domain, dataType").At("values").At("type")
	}
	return d.checkTypeValues(o.spec.Name, o.values).At("values").At("type")
}

func (o setType) check(r rules) *Error {
	after := r.types[0].After
	if o.err != nil {
		return o.err.At("set")
	}
	if o.schema != nil {
		if err := r.checkSchema(*o.schema); err != nil {
			return err.At("schema").At("set")
		}
	}
	if after.Schema != o.t.Schema || after.Name != o.t.Name {
		if err := r.s.checkTypeName(after.Schema, after.Name, o.t); err != nil {
			return err.At("name").At("set")
		}
	}
	if err := r.s.checkReplaced(o.t, after); err != nil {
		return err.At("set")
	}
	switch enum := o.values != nil || o.set.Values != nil; {
	case o.t.Domain == nil && o.set.gives():
		return invalid("Type %s is an enum: it has values, and no dataType, default or check", o.t.quoted()).At("set")
	case o.t.Domain != nil && enum:
		return invalid("Type %s is a domain: it has no values", o.t.quoted()).At("set")
	case o.t.Domain != nil:
		return r.s.dialect.checkDomain(o.set.DomainSpec, o.base).within("set")
	}
	if o.values == nil {
		if o.set.Values != nil {
			return invalid("Type %s needs a value", o.t.quoted()).At("values").At("set")
		}
		return nil
	}
	if err := r.s.dialect.checkTypeValues(after.Name, after.Values); err != nil {
		return err.At("values").At("set")
	}
	return r.s.checkDefaults(o.t, after)
}

// checkReplaced refuses to make a type again that another type is made of: no
// edit changes that.
func (s *Schema) checkReplaced(before, after *NamedType) *Error {
	if before.GrowsTo(after) {
		return nil
	}
	for _, o := range s.carried {
		if o.Kind == ObjectType && slices.Contains(o.Uses, Dependency{Schema: before.Schema, Name: before.Name}) {
			return invalid("Type %s would have to be made again, and type '%s' uses it: add and rename values only, or change that type in the database first",
				before.quoted(), fullName(o.Schema, o.Name))
		}
	}
	return nil
}

// checkDefaults refuses to take a value away that is the default of a column.
func (s *Schema) checkDefaults(before, after *NamedType) *Error {
	gone := map[string]bool{}
	kept := map[ID]bool{}
	for _, v := range after.Values {
		kept[v.ID] = true
	}
	for _, v := range before.Values {
		if !kept[v.ID] {
			gone[v.Name] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for _, u := range s.UsesOf(before) {
		if value, ok := s.dialect.valueOf(u.Column.DefaultValue); ok && gone[value] {
			return invalid("Value %s of type %s is the default of column %s of %s: change that default first",
				clip.Quote(value), before.quoted(), clip.Quote(u.Column.Name), u.Table.quoted()).At("values").At("set")
		}
	}
	return nil
}

func (o dropType) check(r rules) *Error {
	var users []string
	for _, u := range r.s.UsesOf(o.t) {
		users = append(users, u.Table.fullName()+"."+clip.Name(u.Column.Name))
	}
	if len(users) > 0 {
		return invalid("Type %s is the type of %s: give them another, or drop them, first", o.t.quoted(), listNames(users)).At("type")
	}
	return r.s.checkFree(o.t).At("type")
}

// checkFree verifies that nothing that a design carries uses the type.
func (s *Schema) checkFree(t *NamedType) *Error {
	var users []string
	for _, c := range s.carried {
		for _, u := range c.Uses {
			if u.Kind == "" && u.Column == "" && u.Schema == t.Schema && u.Name == t.Name {
				users = append(users, string(c.Kind)+" "+fullName(c.Schema, c.Name))
			}
		}
	}
	for _, v := range s.views {
		for _, u := range v.Uses {
			if u.Kind == "" && u.Column == "" && u.Schema == t.Schema && u.Name == t.Name {
				users = append(users, "view "+fullName(v.Schema, v.Name))
			}
		}
	}
	if len(users) > 0 {
		return invalid("Type %s is used by %s, which no edit changes: drop or change that in the database first", t.quoted(), listNames(users))
	}
	return nil
}

// checkTypeName verifies that a type other than self may be called so: types
// share their names with tables and views, and a name of the dialect's own
// would mean that.
func (s *Schema) checkTypeName(schema, name string, self *NamedType) *Error {
	if err := s.dialect.checkName("Type", name); err != nil {
		return err
	}
	full := fullName(schema, name)
	own := s.dialect
	if own.origin != nil {
		own = own.origin
	}
	if _, known := own.Type(name); known {
		return invalid("Type '%s' cannot be named so: %s has a type of that name", full, s.dialect.Title)
	}
	for _, t := range s.TypesNamed(TableName{schema, name}) {
		if self == nil || t.ID != self.ID {
			return invalid("Type %s already exists", t.quoted())
		}
	}
	key := s.keyOf(schema, name)
	if len(s.names[key]) > 0 || s.viewKeys[key] {
		return invalid("Type '%s' cannot be named so: a table or view has that name", full)
	}
	for _, o := range s.carried {
		if o.Kind == ObjectType && s.keyOf(o.Schema, o.Name) == key {
			return invalid("Type '%s' already exists, as one that no edit changes", full)
		}
	}
	return nil
}

// checkTypeValues verifies the values of an enum.
func (d *Dialect) checkTypeValues(name string, values []TypeValue) *Error {
	if len(values) == 0 {
		return invalid("Type %s needs a value", clip.Quote(name))
	}
	seen := map[string]bool{}
	for _, v := range values {
		switch limit := d.NamedTypes.LongestValue; {
		case seen[v.Name]:
			return invalid("Type %s has the value %s twice", clip.Quote(name), clip.Quote(v.Name))
		case limit > 0 && len(v.Name) > limit:
			return invalid("Value %s is too long: at most %d bytes", clip.Quote(v.Name), limit)
		case !utf8.ValidString(v.Name):
			return invalid("Value %s holds bytes that are no text", clip.Quote(v.Name))
		}
		for _, c := range v.Name {
			if c == 0 {
				return invalid("Value %s holds bytes that are no text", clip.Quote(v.Name))
			}
		}
		seen[v.Name] = true
	}
	return nil
}
