package designer

// ID names one object of a design for as long as the object exists: it
// survives renames, restarts and re-reads of the database. IDs are opaque,
// never part of the version, and never required from a caller.
type ID string

// Target says which database a design belongs to, in the words replies use.
type Target struct {
	Server   string `json:"server"`
	Database string `json:"database"`
}

// Table is one table of a design. A Table that has entered a [Schema] is
// never modified again: an edit puts a changed copy in its place, so a reader
// may keep the pointer it was given.
type Table struct {
	ID          ID                `json:"id"`
	Schema      string            `json:"schema"`
	Name        string            `json:"name"`
	Columns     []Column          `json:"columns"`
	PrimaryKey  *PrimaryKey       `json:"primaryKey,omitempty"` // nil: the table has none
	ForeignKeys []ForeignKey      `json:"foreignKeys,omitempty"`
	Indexes     []Index           `json:"indexes,omitempty"` // unique constraints included
	Checks      []Check           `json:"checks,omitempty"`
	Triggers    []string          `json:"triggers,omitempty"` // by name: carried, not edited
	Comment     string            `json:"comment,omitempty"`
	Options     map[string]string `json:"options,omitempty"` // dialect's own, such as "strict"
}

// Column is one column. Which of MaxLength, Precision and Scale mean
// anything depends on the type (see [TypeInfo]); a column that entered a
// Schema carries the type's defaults where the type takes the attribute, and
// the zero value where it does not.
type Column struct {
	ID                ID     `json:"id,omitempty"` // "" only in a [Definition]
	Name              string `json:"name"`
	DataType          string `json:"dataType"`             // bare name, as written by the user or the database
	TypeText          string `json:"typeText,omitempty"`   // the database's full spelling where it differs from what the parts render to; not semantic
	MaxLength         string `json:"maxLength,omitempty"`  // decimal digits, "MAX", or "" for none
	Precision         int    `json:"precision,omitempty"`  // digits; 0: none
	Scale             int    `json:"scale,omitempty"`      // digits after the point
	IsNullable        bool   `json:"isNullable,omitempty"` // primary key columns are never nullable
	IsIdentity        bool   `json:"isIdentity,omitempty"` // identity, auto-increment, serial
	IdentitySeed      int64  `json:"identitySeed,omitempty"`
	IdentityIncrement int64  `json:"identityIncrement,omitempty"`
	DefaultValue      string `json:"defaultValue,omitempty"` // SQL expression; "": no default
	IsComputed        bool   `json:"isComputed,omitempty"`
	ComputedFormula   string `json:"computedFormula,omitempty"`
	ComputedPersisted bool   `json:"computedPersisted,omitempty"` // stored rather than virtual
	Collation         string `json:"collation,omitempty"`         // "": the database's default
	Comment           string `json:"comment,omitempty"`
	// Values lists the values of an enumerated type that is the column's own,
	// in order.
	Values []string `json:"values,omitempty"`
	// Options are the dialect's own attributes, such as "on_update";
	// the dialect's package names its keys.
	Options map[string]string `json:"options,omitempty"`
}

// PrimaryKey names the key columns in key order, which may differ from the
// order of the columns.
type PrimaryKey struct {
	Name    string            `json:"name,omitempty"` // "": unnamed in the database
	Columns []ID              `json:"columns"`
	Options map[string]string `json:"options,omitempty"` // dialect's own, such as "clustered"
}

// ForeignKey points from its table's columns to columns that are, as a
// whole, a primary or unique key of the referenced table.
//
// A database may hold a key whose target does not exist (SQLite does). Such
// a key is kept as it is: RefTable is "" and Dangling has the names.
type ForeignKey struct {
	ID         ID         `json:"id"`
	Name       string     `json:"name,omitempty"` // "" only where the database has it unnamed
	RefTable   ID         `json:"refTable,omitempty"`
	Mappings   []Mapping  `json:"mappings"`
	OnDelete   Action     `json:"onDelete"`
	OnUpdate   Action     `json:"onUpdate"`
	Deferrable Deferral   `json:"deferrable,omitempty"`
	Dangling   *Reference `json:"dangling,omitempty"` // nil where RefTable is set

	Options map[string]string `json:"options,omitempty"` // dialect's own, such as "match"
}

// Reference names the target of a foreign key that could not be resolved.
type Reference struct {
	Schema  string   `json:"schema,omitempty"`
	Table   string   `json:"table"`
	Columns []string `json:"columns"` // one a mapping, in the mappings' order
}

// Mapping pairs a column with the column it refers to. RefColumn is "" in a
// dangling key.
type Mapping struct {
	Column    ID `json:"column"`
	RefColumn ID `json:"refColumn,omitempty"`
}

// Action is what a foreign key does when the referenced row goes or changes.
// The zero value is not valid in a model.
type Action string

// The actions, as replies write them.
const (
	Cascade    Action = "cascade"
	NoAction   Action = "no_action"
	SetNull    Action = "set_null"
	SetDefault Action = "set_default"
	Restrict   Action = "restrict" // only where the dialect has it
)

// Code returns the number of an action in the shipped tool, -1 for one that
// has none.
func (a Action) Code() int {
	for code, name := range []Action{Cascade, NoAction, SetNull, SetDefault} {
		if a == name {
			return code
		}
	}
	return -1
}

// Deferral says when a foreign key is checked. The zero value is: at once.
type Deferral string

// The deferrals.
const (
	NotDeferrable     Deferral = ""
	DeferrableInitNow Deferral = "immediate"
	DeferrableInitEnd Deferral = "deferred"
)

// Index is an index or, with Constraint set, a unique constraint.
type Index struct {
	ID         ID         `json:"id"`
	Name       string     `json:"name,omitempty"` // "" only for a constraint the database has unnamed
	Unique     bool       `json:"unique,omitempty"`
	Constraint bool       `json:"constraint,omitempty"`
	Parts      []IndexKey `json:"parts"`
	Where      string     `json:"where,omitempty"`   // partial index: its condition
	Include    []ID       `json:"include,omitempty"` // columns stored beside the key
	Method     string     `json:"method,omitempty"`  // "": the dialect's ordinary one; "gin", "fulltext", …

	Options map[string]string `json:"options,omitempty"` // dialect's own
}

// IndexKey is one key of an index: a column, or an expression.
type IndexKey struct {
	Column     ID     `json:"column,omitempty"`     // "": Expression is set
	Expression string `json:"expression,omitempty"` // SQL text
	Descending bool   `json:"descending,omitempty"`
	Collation  string `json:"collation,omitempty"`
	Nulls      string `json:"nulls,omitempty"`   // "first" or "last" where that is not what the order implies
	OpClass    string `json:"opClass,omitempty"` // where it is not the type's default
	Length     int    `json:"length,omitempty"`  // how many characters or bytes are indexed; 0: all
}

// Check is a check constraint of a table.
type Check struct {
	ID         ID     `json:"id"`
	Name       string `json:"name,omitempty"` // "" only where the database has it unnamed
	Expression string `json:"expression"`

	Options map[string]string `json:"options,omitempty"` // dialect's own, such as "not_enforced"
}
