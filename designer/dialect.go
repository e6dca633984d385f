package designer

// Dialect is what validation has to know of one kind of database. It is
// data: no I/O, no connection, safe to share. A dialect package
// (designer/sqlite, …) makes one; nothing else knows dialects by name.
type Dialect struct {
	Name           string     // "sqlite", "postgres", "mysql", "mssql"
	Title          string     // "SQLite", "PostgreSQL", …
	Types          []TypeInfo // common ones first
	MaxNameLength  int        // 0: no limit
	LengthInBytes  bool       // MaxNameLength counts bytes rather than characters
	Reserved       map[string]bool
	Actions        []Action // foreign key actions the dialect has
	RefuseCascades bool     // cascade cycles and multiple cascade paths are errors
	CommonSchemas  []string // schemas every database has; nil: only those read
	// FixedSchemas says that a design cannot use a schema the database does
	// not have.
	FixedSchemas bool
	// SameFamily tells whether a foreign key may pair columns of these
	// types. nil: the types must have the same [TypeInfo.Family].
	SameFamily func(a, b Column) bool
	// UnindexedForeignKeys says that the server does not index foreign key
	// columns by itself, so that an unindexed one deserves a warning.
	UnindexedForeignKeys bool
}

// TypeInfo describes one data type of a dialect.
type TypeInfo struct {
	Name      string   // as replies show it
	Aliases   []string // other spellings, matched case-insensitively like Name
	Family    string   // types of one family may be paired in a foreign key: "integer", "text", …
	Length    Param    // how MaxLength is taken
	Precision Range    // zero Range: none taken
	Scale     Range    // zero Range: none taken
	AllowsMax bool     // MaxLength may be "MAX"
	Identity  bool     // may be an identity column
}

// Param says whether a type takes an attribute.
type Param int

// The ways a type takes a length.
const (
	NotTaken Param = iota
	Optional
	Required
)

// Range is an inclusive range with the value that stands in where none is
// given. The zero Range means that the attribute is not taken.
type Range struct {
	Min, Max, Default int
	// Unset allows 0 for "not given", where the type means something by it
	// (PostgreSQL's numeric without precision).
	Unset bool
}
