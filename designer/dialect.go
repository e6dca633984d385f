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
	// SchemaWideIndexNames says that the names of indexes and tables are one
	// namespace per schema (PostgreSQL, SQLite), rather than index names
	// being the table's own.
	SchemaWideIndexNames bool
	// SchemaWideCheckNames says that check names are unique per schema (SQL
	// Server, MySQL), rather than per table.
	SchemaWideCheckNames bool
	// IdentityIsKey says that an identity column is its table's primary key
	// alone (SQLite).
	IdentityIsKey bool
	// ReservedPrefixes are what no table or index name may begin with, case
	// aside.
	ReservedPrefixes []string
	// IdentifierQuotes holds the opening characters that quote an identifier
	// in SQL text, the preferred one first: `["` on SQL Server. Double quotes
	// that are not listed quote a string (MySQL). "": all of `"[` and the
	// backquote do.
	IdentifierQuotes string
	// BackslashEscapes says that a backslash escapes the next character of a
	// string in SQL text (MySQL).
	BackslashEscapes bool
	// HashComments says that a number sign starts a comment in SQL text
	// (MySQL).
	HashComments bool
}

// TypeInfo describes one data type of a dialect.
type TypeInfo struct {
	Name    string   // as replies show it
	Aliases []string // other spellings, matched case-insensitively like Name
	Family  string   // types of one family may be paired in a foreign key: "integer", "text", …
	Length  Param    // how MaxLength is taken
	// DefaultLength is the MaxLength that a change to this type fills in where
	// none is given. "": 50 where a length is required, none where it is
	// optional.
	DefaultLength string
	MaxLength     int   // largest length other than MAX; 0: no limit known
	Precision     Range // zero Range: none taken
	Scale         Range // zero Range: none taken
	AllowsMax     bool  // MaxLength may be "MAX"
	Identity      bool  // may be an identity column
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
