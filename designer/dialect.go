package designer

import "github.com/berth-dev/berth/designer/sqltext"

// Dialect is what the rules have to know of one kind of database, a group for
// each thing that they ask about. The zero value of a group is what most
// databases do. It is data and pure functions: no I/O, no connection, safe to
// share. A dialect's package makes one; nothing else knows dialects by name.
type Dialect struct {
	Name        string // as a design is stored under
	Title       string // as people write it
	Types       []TypeInfo
	Reserved    map[string]bool // words
	Names       NameRules
	Schemas     SchemaRules
	TypeNames   TypeNameRules
	NamedTypes  NamedTypeRules
	Columns     ColumnRules
	Comments    CommentRules
	Identity    IdentityRules
	ForeignKeys ForeignKeyRules
	Indexes     IndexRules
	// SQL holds the rules by which SQL text is taken apart, the quotes of
	// names and the escapes of strings among them. Zero: [sqltext.SQLite].
	SQL sqltext.Rules
	// Settle makes of a table that an edit has changed what the database would
	// say of it: without options that no longer mean anything, such as the
	// order of a key for a column that has left it. It may write to the table
	// and what is in it. nil: there is nothing of the kind.
	Settle func(t *Table)

	// origin is the dialect that this one extends by a database's own types;
	// nil: none.
	origin *Dialect
}

// NameRules are the rules for the names of tables and their parts. Zero: any
// length, and the names of indexes and checks are their table's own.
type NameRules struct {
	MaxLength        int      // 0: no limit
	InBytes          bool     // MaxLength counts bytes rather than characters
	ReservedPrefixes []string // no table or index name may begin with one, ignoring case
	// SchemaWideIndexes says that the names of indexes and tables are one
	// namespace per schema.
	SchemaWideIndexes bool
	SchemaWideChecks  bool // check names are unique per schema
	// BasicPlane says that names, default values and the values of enumerated
	// types hold characters up to U+FFFF only, as the catalogue does (MySQL).
	BasicPlane bool
}

// SchemaRules are the rules for schemas. Zero: a design may bring its own.
type SchemaRules struct {
	Common []string // that every database has, the default one first; nil: only those read
	Fixed  bool     // a design cannot use a schema that the database does not have
}

// TypeNameRules say how data types are written. Zero: as a name with arguments
// in parentheses, kept as it was called.
type TypeNameRules struct {
	// Split takes apart a data type that callers write in a way of the
	// dialect's own, as "enum('a','b')" or "int(10) unsigned": its name as the
	// dialect spells it, the arguments in parentheses, and the values of an
	// enumerated type. nil, or false: the text is a name and arguments like
	// any other.
	Split func(text string) (name string, args, values []string, ok bool)
	// Canonical says that the server keeps a type and not how it was called,
	// so that an edit that gives an alias means the Name.
	Canonical bool
	Arrays    bool // every type has an array type, written type[]
	// Enums says that the values of an enumeration are a type's of their own,
	// made before the tables that use it, rather than the column's or none.
	Enums bool
}

// ColumnRules say what belongs together in a column.
type ColumnRules struct {
	Computed Computed
	// Texts are the keys of [Column.Options] whose values are SQL text that
	// may name columns.
	Texts []string
	// DefaultOptions are the keys of [Column.Options] that say something of the
	// column's default, such as its name, and go with it.
	DefaultOptions     []string
	DefaultsUseColumns bool // a default value may name other columns of its row
	// InheritCollation says that a column whose collation is its table's has
	// none of its own, however it came by it.
	InheritCollation bool
}

// Computed says what a computed column has beside its formula.
type Computed int

// The ways of computed columns.
const (
	ComputedAny     Computed = iota // stored or not, with a type or without
	ComputedStored                  // always stored, and with a type
	ComputedDerived                 // the type that follows from the formula, whatever a design says, and no options
)

// IdentityRules are the rules for identity columns. Zero: any column of a
// table, with seed and increment.
type IdentityRules struct {
	Place       IdentityPlace
	CountsByOne bool // from 1: the database keeps neither seed nor increment
}

// IdentityPlace is where in the keys of its table an identity column has to
// be.
type IdentityPlace int

// The places.
const (
	IdentityAnywhere IdentityPlace = iota
	IdentityIsKey                  // the primary key, alone
	IdentityLeadsKey               // first in the primary key or in an index
)

// misplaced returns an identity column of t that is elsewhere, nil if there is
// none.
func (p IdentityPlace) misplaced(t *Table) *Column {
	switch p {
	case IdentityIsKey:
		return t.identityBeside()
	case IdentityLeadsKey:
		return t.identityBehind()
	}
	return nil
}

func (p IdentityPlace) String() string {
	return [...]string{"anywhere", "the primary key, alone", "the first column of the primary key or of an index"}[p]
}

// ForeignKeyRules are the rules for foreign keys. Zero: columns of one family
// pair, and there are no actions.
type ForeignKeyRules struct {
	Actions []Action // that there are
	// Pairs reports whether a foreign key may pair columns of these types.
	// nil: the types must have the same [TypeInfo.Family].
	Pairs          func(a, b Column) bool
	RefuseCascades bool // cascade cycles and multiple cascade paths are errors
	// Indexed says that the server makes an index for a foreign key whose
	// columns, in their order, begin none, and keeps one as long as the key is
	// there. So does an edit. Where it does not, one without deserves a
	// warning.
	Indexed bool
}

// CommentRules are the rules for comments on tables and columns. Zero: any
// length.
type CommentRules struct {
	None          bool // the database keeps none
	Table, Column int  // longest, in UTF-16 code units; 0: no limit
}

// IndexRules are the rules for indexes. Zero: they may have a condition and
// there is one method.
type IndexRules struct {
	WholeTable           bool // an index covers every row
	UnorderedConstraints bool // no column of a unique constraint is sorted descending
	ConstraintsInclude   bool // a unique constraint stores columns beside the key
	// UniqueIndexes says that a column becomes unique by an index rather than by
	// a constraint: there they are one, or a constraint is costlier to add.
	UniqueIndexes bool
	// Methods returns the methods that edits may give an index of t, the
	// ordinary one first: a model has "" for it. nil: b-trees alone.
	Methods func(t *Table) []IndexMethod
	// MethodOptions are the keys of [Index.Options] that mean something with the
	// method only, and go with it.
	MethodOptions []string
}

// IndexMethod is a way in which the database keeps an index.
type IndexMethod struct {
	Name string
	Has  IndexFeatures
}

// IndexFeatures are what an index may have beside a key of one column.
type IndexFeatures uint16

// The features.
const (
	IndexUnique IndexFeatures = 1 << iota
	IndexDescends
	IndexSeveralKeys
	IndexExpressions
	IndexNulls
	IndexOpClasses
	IndexLengths
	IndexCollations
	IndexIncludes
	IndexPartial
)

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
	// Unset allows 0 for "not given", where the type means something by it.
	Unset bool
}
