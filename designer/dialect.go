package designer

import "github.com/berth-dev/berth/designer/sqltext"

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
	// SameFamily reports whether a foreign key may pair columns of these
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
	// IdentityLeadsKey says that an identity column is the first one of its
	// table's primary key or of an index (MySQL).
	IdentityLeadsKey bool
	// FixedIdentity says that the database keeps neither seed nor increment
	// of an identity column: it counts from 1 by 1 (MySQL).
	FixedIdentity bool
	// IndexesForeignKeys says that the server makes an index for a foreign
	// key whose columns, in their order, begin none, and keeps one as long as
	// the key is there (MySQL). So does an edit.
	IndexesForeignKeys bool
	// NoPartialIndexes says that an index covers every row (MySQL).
	NoPartialIndexes bool
	// InheritsCollation says that a column whose collation is its table's has
	// none of its own, however it came by it (MySQL).
	InheritsCollation bool
	// DefaultsUseColumns says that a default value may name other columns of
	// its row (MySQL).
	DefaultsUseColumns bool
	// ColumnTexts are the keys of [Column.Options] whose values are SQL text
	// that may name columns.
	ColumnTexts []string
	// SplitType takes apart a data type that callers write in a way of the
	// dialect's own, as MySQL's "enum('a','b')" and "int(10) unsigned": its
	// name as the dialect spells it, the arguments in parentheses, and the
	// values of an enumerated type. nil, or false: the text is a name and
	// arguments like any other.
	SplitType func(text string) (name string, args, values []string, ok bool)
	// ReservedPrefixes are what no table or index name may begin with, case
	// aside.
	ReservedPrefixes []string
	// SQL holds the rules by which SQL text is taken apart, the quotes of
	// names and the escapes of strings among them. Zero: SQLite's.
	SQL sqltext.Rules
	// EnumTypes says that the values of an enumeration are a type's of their
	// own, made before the tables that use it (PostgreSQL), rather than the
	// column's or none.
	EnumTypes bool
	// Settle makes of a table that an edit has changed what the database would
	// tell of it: without options that no longer mean anything, such as the
	// order of a key for a column that has left it. It may write to the table
	// and what is in it. nil: there is nothing of the kind.
	Settle func(t *Table)
	// DefaultOptions are the keys of [Column.Options] that say something of the
	// column's default, such as its name, and go with it.
	DefaultOptions []string
	// DerivesComputed says that a computed column has the type that follows
	// from its formula, whatever a design says, and no options of its own
	// (SQL Server).
	DerivesComputed bool
	// Arrays says that every type has an array type, written type[]
	// (PostgreSQL).
	Arrays bool
	// CanonicalTypes says that the server keeps a type and not how it was
	// called, so that an edit that gives an alias means the Name.
	CanonicalTypes bool
	// StoredFormulas says that computed columns are always stored and declare
	// their type (PostgreSQL).
	StoredFormulas bool

	// origin is the dialect that this one extends by a database's own types;
	// nil: none.
	origin *Dialect
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
	Values        bool  // lists its values: [Column.Values]
	// Kind says what the type holds, in words that all dialects share; ""
	// where no other dialect has the like. Of several types of one kind the
	// one listed first stands for it.
	Kind TypeKind
	// Legacy says that the server keeps the type for old designs only: what
	// comes from elsewhere gets another one.
	Legacy bool
}

// TypeKind is what a data type holds, whatever the dialect calls it: the way
// from one dialect's types to another's.
type TypeKind string

// The kinds.
const (
	KindBool        TypeKind = "bool"
	KindInt8        TypeKind = "int8"
	KindUint8       TypeKind = "uint8"
	KindInt16       TypeKind = "int16"
	KindUint16      TypeKind = "uint16"
	KindInt24       TypeKind = "int24"
	KindInt32       TypeKind = "int32"
	KindUint32      TypeKind = "uint32"
	KindInt64       TypeKind = "int64"
	KindUint64      TypeKind = "uint64"
	KindDecimal     TypeKind = "decimal"
	KindMoney       TypeKind = "money"
	KindFloat32     TypeKind = "float32"
	KindFloat64     TypeKind = "float64"
	KindChar        TypeKind = "char"    // padded
	KindVarchar     TypeKind = "varchar" // bounded
	KindNChar       TypeKind = "nchar"   // Unicode where char is not
	KindNVarchar    TypeKind = "nvarchar"
	KindText        TypeKind = "text" // unbounded
	KindBinary      TypeKind = "binary"
	KindVarbinary   TypeKind = "varbinary"
	KindBlob        TypeKind = "blob"
	KindDate        TypeKind = "date"
	KindTime        TypeKind = "time"
	KindTimeTZ      TypeKind = "timetz"
	KindTimestamp   TypeKind = "timestamp"   // without a zone
	KindTimestampTZ TypeKind = "timestamptz" // a point in time
	KindYear        TypeKind = "year"
	KindInterval    TypeKind = "interval"
	KindUUID        TypeKind = "uuid"
	KindJSON        TypeKind = "json"
	KindXML         TypeKind = "xml"
	KindBit         TypeKind = "bit" // bit strings
	KindEnum        TypeKind = "enum"
	KindSet         TypeKind = "set"
	KindRowVersion  TypeKind = "rowversion"
	KindGeometry    TypeKind = "geometry"
	KindGeography   TypeKind = "geography"
	KindNetwork     TypeKind = "network"
)

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
