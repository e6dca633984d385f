package dbml

import "github.com/berth-dev/berth/designer"

// file is a parsed file whose names are not resolved yet.
type file struct {
	databaseType string // of the project
	tables       []*table
	partials     []*table
	enums        []*enum
	refs         []ref
	loaded       designer.LoadResult // what is left out
}

// name is a table, enum or type with the schema before it.
type name struct {
	schema, name string
	line         int
}

type table struct {
	name
	alias   string
	note    string
	items   []item
	indexes []index
	checks  []check
}

// item is a column of a table or a partial that is put in at its place.
type item struct {
	column  *column
	partial string // where column is nil
	line    int
}

type column struct {
	name       string
	line       int
	typ        columnType
	pk, unique bool
	notNull    bool
	increment  bool
	def        *value // nil: none
	note       string
	checks     []string
	refs       []inlineRef
}

// columnType is a type as written: its name, which may be an enum's, and its
// arguments and brackets.
type columnType struct {
	name
	suffix string // "(10,2)", "[]", "(20)[]"
}

// inlineRef is a column's own relationship.
type inlineRef struct {
	op   string
	to   endpoint
	line int
}

// ref is a relationship between two tables.
type ref struct {
	name        string
	op          string
	left, right endpoint
	onDelete    string
	onUpdate    string
	inactive    bool // drawn, not enforced
	line        int
}

// endpoint is one side of a relationship. Where schema is "", table may be an
// alias.
type endpoint struct {
	schema, table string
	columns       []string
}

type index struct {
	parts      []indexPart
	pk, unique bool
	name, typ  string
	line       int
}

// indexPart is a column or, where formula is set, an expression.
type indexPart struct{ column, formula string }

type check struct {
	expression, name string
}

type enum struct {
	name
	values []string
}

// value is what a setting is given.
type value struct {
	kind  kind   // word (several joined by a space), quoted, text, formula, number, color, or symbol: a relationship
	text  string // of a number with its sign; of a relationship its operator
	last  string // of a dotted name: its last part
	to    endpoint
	line  int
	parts int // names in a dotted name
}

// String is the name as a message has it.
func (n name) String() string {
	if n.schema == "" {
		return n.name
	}
	return n.schema + "." + n.name
}
