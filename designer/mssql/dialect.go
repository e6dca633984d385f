package mssql

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// DefaultSchema is the schema that a login without another default works in.
const DefaultSchema = "dbo"

// maxComment is how many characters an extended property holds: 7,500 bytes.
const maxComment = 3750

// Dialect returns what the designer has to know of SQL Server. The result is
// the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:       "mssql",
		Title:      "SQL Server",
		Types:      types(),
		Reserved:   sqltext.WordSet(reservedWords),
		Names:      designer.NameRules{MaxLength: 128, SchemaWideChecks: true, ReservedPrefixes: []string{"#"}}, // a temporary table's
		Schemas:    designer.SchemaRules{Common: []string{DefaultSchema}},
		NamedTypes: designer.NamedTypeRules{Instead: "give the column a check, as status IN ('open','closed'); alias types are made with SQL"},
		Columns:    designer.ColumnRules{Computed: designer.ComputedDerived, DefaultOptions: []string{OptionDefaultName}},
		ForeignKeys: designer.ForeignKeyRules{
			Actions:        []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.SetDefault},
			Pairs:          sameFamily,
			RefuseCascades: true,
		},
		Indexes:  designer.IndexRules{Methods: indexMethods, MethodOptions: methodOptions},
		Comments: designer.CommentRules{Table: maxComment, Column: maxComment},
		SQL:      sqltext.TSQL(),
		Settle:   settle,
	}
}

// Engine is SQL Server at work: see [engine.Engine].
type Engine struct{}

var (
	_ engine.Engine     = Engine{}
	_ engine.LockReader = Engine{}
)

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }

// indexMethods are those that a design can say all of: a hash index is of a
// table in memory, with a number of buckets.
func indexMethods(*designer.Table) []designer.IndexMethod {
	const several = designer.IndexSeveralKeys | designer.IndexPartial
	return []designer.IndexMethod{
		{Name: "btree", Has: several | designer.IndexUnique | designer.IndexDescends | designer.IndexIncludes},
		{Name: MethodColumnstore, Has: several},
		{Name: MethodXML},
		{Name: MethodSpatial},
	}
}

// methodOptions are the options of an index that another method does not have.
var methodOptions = []string{OptionClustered, OptionPadIndex, OptionFillFactor, OptionIgnoreDup, OptionCompression, OptionPrimaryXML, OptionSecondaryXML}
