package postgres

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// DefaultSchema is the schema that names without one mean, unless a
// connection says otherwise.
const DefaultSchema = "public"

// maxName is how many bytes of a name the server keeps.
const maxName = 63

// Dialect returns what the designer has to know of PostgreSQL. The result is
// the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:       "postgres",
		Title:      "PostgreSQL",
		Types:      types(),
		Reserved:   sqltext.WordSet(reservedWords),
		Names:      designer.NameRules{MaxLength: maxName, InBytes: true, SchemaWideIndexes: true},
		Schemas:    designer.SchemaRules{Common: []string{DefaultSchema}},
		TypeNames:  designer.TypeNameRules{Canonical: true, Arrays: true, Enums: true},
		NamedTypes: namedTypes(),
		Columns:    designer.ColumnRules{Computed: designer.ComputedStored},
		Indexes: designer.IndexRules{UnorderedConstraints: true, ConstraintsInclude: true,
			Methods: indexMethods, MethodOptions: []string{OptionWith}},
		ForeignKeys: designer.ForeignKeyRules{
			Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.SetDefault, designer.Restrict},
			Pairs:   sameFamily,
		},
		SQL:    sqltext.PostgreSQL(),
		Settle: settle,
	}
}

// Engine is PostgreSQL at work: see [engine.Engine].
type Engine struct{}

var (
	_ engine.Engine       = Engine{}
	_ engine.LockReader   = Engine{}
	_ engine.RightsReader = Engine{}
)

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }

// indexMethods are the server's own, and those of the extensions that most
// databases with one have: pgvector's and bloom.
func indexMethods(*designer.Table) []designer.IndexMethod {
	const any = designer.IndexExpressions | designer.IndexOpClasses | designer.IndexCollations | designer.IndexPartial
	const several = any | designer.IndexSeveralKeys
	return []designer.IndexMethod{
		{Name: "btree", Has: several | designer.IndexUnique | designer.IndexDescends | designer.IndexNulls | designer.IndexIncludes},
		{Name: "hash", Has: any},
		{Name: "gin", Has: several},
		{Name: "gist", Has: several | designer.IndexIncludes},
		{Name: "spgist", Has: any | designer.IndexIncludes},
		{Name: "brin", Has: several},
		{Name: "hnsw", Has: any},
		{Name: "ivfflat", Has: any},
		{Name: "bloom", Has: several},
	}
}
