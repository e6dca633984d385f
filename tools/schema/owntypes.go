package schema

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// ownTypes lists the types of the database's own that the columns have, and
// those that these are made of, in the order they are met.
func ownTypes(objects []designer.Object, columns []designer.Column) []designer.Object {
	types := slices.DeleteFunc(slices.Clone(objects), func(o designer.Object) bool { return o.Kind != designer.ObjectType })
	var found []designer.Object
	add := func(is func(designer.Object) bool) {
		i := slices.IndexFunc(types, is)
		if i >= 0 {
			found = append(found, types[i])
			types = slices.Delete(types, i, i+1)
		}
	}
	for _, c := range columns {
		name := elementType(c.DataType)
		add(func(o designer.Object) bool {
			return strings.EqualFold(o.Name, name) || strings.EqualFold(o.Schema+"."+o.Name, name)
		})
	}
	for i := 0; i < len(found); i++ {
		for _, u := range found[i].Uses {
			add(func(o designer.Object) bool { return o.Schema == u.Schema && o.Name == u.Name })
		}
	}
	return found
}

// elementType returns a type's name without quotes and array brackets.
func elementType(dataType string) string {
	name, _, _ := strings.Cut(dataType, "[")
	return unquoted(strings.TrimSpace(name))
}

// editedTypes lists the types that edits make.
func editedTypes(s *designer.Schema) []designer.Object {
	return slices.DeleteFunc(s.Objects(), func(o designer.Object) bool { return !s.Dialect().EditsType(o) })
}
