package designer

import "github.com/berth-dev/berth/designer/clip"

// Op names an edit operation.
type Op string

// The edit operations: the contract's nine, then those for indexes, checks
// and types, which follow the same rules.
const (
	AddTable       Op = "add_table"
	DropTable      Op = "drop_table"
	SetTable       Op = "set_table"
	AddColumn      Op = "add_column"
	DropColumn     Op = "drop_column"
	SetColumn      Op = "set_column"
	AddForeignKey  Op = "add_foreign_key"
	DropForeignKey Op = "drop_foreign_key"
	SetForeignKey  Op = "set_foreign_key"
	AddIndex       Op = "add_index"
	SetIndex       Op = "set_index"
	DropIndex      Op = "drop_index"
	AddCheck       Op = "add_check"
	DropCheck      Op = "drop_check"
	AddType        Op = "add_type"
	SetType        Op = "set_type"
	DropType       Op = "drop_type"
)

// Ops lists every operation, in the order of their declaration.
func Ops() []Op {
	return []Op{AddTable, DropTable, SetTable, AddColumn, DropColumn, SetColumn,
		AddForeignKey, DropForeignKey, SetForeignKey, AddIndex, SetIndex, DropIndex,
		AddCheck, DropCheck, AddType, SetType, DropType}
}

// UnknownOp is the refusal of an operation that does not exist.
func UnknownOp(op Op) *Error {
	names := mapEach(Ops(), func(o Op) string { return string(o) })
	return badRequest(&Hints{NearestNames: Nearest(string(op), names)}, "op %s is unknown", clip.Quote(string(op)))
}

// Edit is one requested change, addressed by name. Which fields an Op takes
// is its entry in the contract; designer/edits refuses the others.
type Edit struct {
	Op             Op
	Table          TableRef
	CreateSchema   bool           // add_table, set_table: the schema may be one that there is not yet
	Comment        *string        // add_table
	InitialColumns []ColumnSpec   // add_table
	Column         ColumnSpec     // add_column
	ColumnRef      ObjectRef      // drop_column, set_column
	ForeignKey     ForeignKeySpec // add_foreign_key
	ForeignKeyRef  ObjectRef      // drop_foreign_key, set_foreign_key
	Index          IndexSpec      // add_index
	IndexRef       ObjectRef      // set_index, drop_index
	Check          CheckSpec      // add_check
	CheckRef       ObjectRef      // drop_check
	SetTable       TableSet       // set_table
	SetColumn      ColumnSpec     // set_column: nil fields stay
	SetForeignKey  ForeignKeySpec // set_foreign_key: nil fields stay
	SetIndex       IndexSpec      // set_index: nil fields stay
	Type           TypeSpec       // add_type
	TypeRef        TableRef       // set_type, drop_type
	SetType        TypeSet        // set_type
}

// TypeSpec holds the fields of a type that is added. An empty Schema means the
// default one.
type TypeSpec struct {
	Schema  string   `json:"schema,omitempty"`
	Name    string   `json:"name,omitempty"`
	Values  []string `json:"values,omitempty"` // of an enum
	Comment *string  `json:"comment,omitempty"`
	DomainSpec
}

// DomainSpec holds the fields of a domain, in the words of a column's.
type DomainSpec struct {
	DataType     *string `json:"dataType,omitempty"` // that it restricts; given, the type is a domain
	IsNullable   *bool   `json:"isNullable,omitempty"`
	DefaultValue *string `json:"defaultValue,omitempty"`
	Check        *string `json:"check,omitempty"` // SQL text on VALUE, in place of all there are; "": none
}

// gives reports whether anything is said of a domain.
func (s DomainSpec) gives() bool { return s != DomainSpec{} }

// TypeSet holds the fields of set_type; nil leaves a field as it is, and ""
// removes the comment. Values, where given, are the whole list.
type TypeSet struct {
	Name         *string           `json:"name,omitempty"`
	Schema       *string           `json:"schema,omitempty"`
	Comment      *string           `json:"comment,omitempty"`
	Values       []string          `json:"values,omitempty"`
	AddValues    []string          `json:"addValues,omitempty"`
	Before       *string           `json:"before,omitempty"` // the value before which AddValues go; nil with After nil: behind all
	After        *string           `json:"after,omitempty"`
	RenameValues map[string]string `json:"renameValues,omitempty"` // new names by old ones
	DomainSpec
}

// TableRef names a table. An empty Schema means the connection's default
// schema; a non-empty ID resolves before the names.
type TableRef struct {
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name,omitempty"`
	ID     ID     `json:"id,omitempty"`
}

// ObjectRef names a column, foreign key, index or check within its table; a
// non-empty ID resolves before the name.
type ObjectRef struct {
	Name string `json:"name,omitempty"`
	ID   ID     `json:"id,omitempty"`
}

// TableSet holds the fields of set_table; nil leaves a field as it is, and ""
// removes the comment.
type TableSet struct {
	Name    *string `json:"name,omitempty"`
	Schema  *string `json:"schema,omitempty"`
	Comment *string `json:"comment,omitempty"`
}

// ColumnSpec holds a column's fields as a caller gives them, for adding
// (nil: the default) and for setting (nil: leave). The fields are those of
// the contract's ColumnCreate, and values, collation, comment and isUnique.
type ColumnSpec struct {
	Name      *string `json:"name,omitempty"`
	DataType  *string `json:"dataType,omitempty"`
	MaxLength *string `json:"maxLength,omitempty"` // a JSON number is accepted too
	Precision *int    `json:"precision,omitempty"`
	Scale     *int    `json:"scale,omitempty"`
	// Values are those of a type that lists its own, as enum does; nil: those
	// in DataType, or those that the column has.
	Values            []string `json:"values,omitempty"`
	IsPrimaryKey      *bool    `json:"isPrimaryKey,omitempty"`
	IsIdentity        *bool    `json:"isIdentity,omitempty"`
	IdentitySeed      *int64   `json:"identitySeed,omitempty"`
	IdentityIncrement *int64   `json:"identityIncrement,omitempty"`
	IsNullable        *bool    `json:"isNullable,omitempty"`
	DefaultValue      *string  `json:"defaultValue,omitempty"`
	IsComputed        *bool    `json:"isComputed,omitempty"`
	ComputedFormula   *string  `json:"computedFormula,omitempty"`
	ComputedPersisted *bool    `json:"computedPersisted,omitempty"`
	Collation         *string  `json:"collation,omitempty"`
	Comment           *string  `json:"comment,omitempty"` // "": none
	// IsUnique is a key on the column alone: true adds one unless there is one,
	// false drops it.
	IsUnique *bool `json:"isUnique,omitempty"`
}

// ForeignKeySpec holds a foreign key's fields for adding and setting.
// Mappings, where given, replaces the whole set.
type ForeignKeySpec struct {
	Name            *string       `json:"name,omitempty"`
	ReferencedTable *TableRef     `json:"referencedTable,omitempty"`
	Mappings        []NameMapping `json:"mappings,omitempty"`
	OnDelete        *Action       `json:"onDeleteAction,omitempty"` // shipped numbers 0–3 are accepted too
	OnUpdate        *Action       `json:"onUpdateAction,omitempty"`
}

// NameMapping is a [Mapping] by column names.
type NameMapping struct {
	Column           string `json:"column"`
	ReferencedColumn string `json:"referencedColumn"`
}

// IndexSpec holds an index's fields for adding and setting. Columns and
// Include, where given, replace the whole list; Where "" removes the
// condition.
type IndexSpec struct {
	Name    *string     `json:"name,omitempty"`
	Unique  *bool       `json:"unique,omitempty"`
	Columns []IndexPart `json:"columns,omitempty"`
	Where   *string     `json:"where,omitempty"`
	Method  *string     `json:"method,omitempty"`  // a name of [IndexRules.Methods]; "": the ordinary one
	Include []string    `json:"include,omitempty"` // columns stored beside the key
}

// IndexPart is one key of an [IndexSpec]: a column or an expression, with its
// order. A bare JSON string is accepted as the column's name. What is nil
// stays as the index has it for the same column.
type IndexPart struct {
	Name       string  `json:"name,omitempty"`
	Expression string  `json:"expression,omitempty"`
	Descending bool    `json:"descending,omitempty"`
	Nulls      *string `json:"nulls,omitempty"` // "first" or "last"; "": what the order implies
	OpClass    *string `json:"opClass,omitempty"`
	Length     *int    `json:"length,omitempty"` // how much of the value is indexed; 0: all
	Collation  *string `json:"collation,omitempty"`
}

// CheckSpec holds a check's fields.
type CheckSpec struct {
	Name       *string `json:"name,omitempty"` // nil: CK_<table>_<n>, the first n that is free
	Expression *string `json:"expression,omitempty"`
}
