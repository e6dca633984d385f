package postgres

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// maxValue is how many bytes of an enum's value the server keeps.
const maxValue = 63

// namedTypes are the types of a database's own that edits make.
func namedTypes() designer.NamedTypeRules {
	return designer.NamedTypeRules{Classes: []designer.TypeClass{designer.ClassEnum}, Define: defineType, LongestValue: maxValue}
}

// defineType writes the statement that makes a type.
func defineType(t *designer.NamedType) string {
	values := make([]string, len(t.Values))
	for i, v := range t.Values {
		values[i] = literal(v.Name)
	}
	return "CREATE TYPE " + qualified(t.Schema, t.Name) + " AS ENUM (" + strings.Join(values, ", ") + ")"
}

// commentOnType is the statement that gives a type its comment; "" removes it.
func commentOnType(schema, name, text string) string {
	return "COMMENT ON TYPE " + qualified(schema, name) + " IS " + commentText(text)
}
