package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// quote writes a name as an identifier.
func quote(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }

// qualified writes an object's name with its schema.
func qualified(schema, name string) string {
	if schema == "" {
		schema = DefaultSchema
	}
	return quote(schema) + "." + quote(name)
}

// literal writes text as a Unicode string.
func literal(text string) string { return "N'" + strings.ReplaceAll(text, "'", "''") + "'" }

// objectName is a name with its schema.
type objectName struct{ schema, name string }

func (n objectName) String() string { return qualified(n.schema, n.name) }

func (n objectName) label() string { return n.schema + "." + n.name }

// same reports whether the parts of a name as written mean n.
func (n objectName) same(parts []string) bool {
	if len(parts) == 0 || !strings.EqualFold(parts[len(parts)-1], n.name) {
		return false
	}
	schema := DefaultSchema
	if len(parts) > 1 {
		schema = parts[len(parts)-2]
	}
	return strings.EqualFold(schema, n.schema)
}

func (n objectName) folded() objectName {
	return objectName{designer.Fold(n.schema), designer.Fold(n.name)}
}

func (n objectName) slot() designer.Slot {
	return designer.Slot{Scope: designer.Fold(n.schema), Name: designer.Fold(n.name)}
}
