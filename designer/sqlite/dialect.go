package sqlite

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// DefaultSchema is the schema of a database's own tables.
const DefaultSchema = "main"

// Dialect returns what the designer has to know of SQLite. The result is the
// caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:       "sqlite",
		Title:      "SQLite",
		Types:      types(),
		Reserved:   sqltext.WordSet(reservedWords),
		Names:      designer.NameRules{SchemaWideIndexes: true, ReservedPrefixes: []string{"sqlite_"}},
		Schemas:    designer.SchemaRules{Common: []string{DefaultSchema}, Fixed: true},
		NamedTypes: designer.NamedTypeRules{Instead: "give the column a check, as status IN ('open','closed')"},
		Identity:   designer.IdentityRules{Place: designer.IdentityIsKey},
		ForeignKeys: designer.ForeignKeyRules{
			Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.SetDefault, designer.Restrict},
			Pairs:   sameFamily,
		},
		Indexes:  designer.IndexRules{UniqueIndexes: true, Methods: indexMethods},
		Comments: designer.CommentRules{None: true},
		SQL:      sqltext.SQLite(),
		Settle:   settle,
	}
}

// Engine is SQLite at work: see [engine.Engine].
type Engine struct{}

var _ engine.Engine = Engine{}

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }

// indexMethods is the one there is.
func indexMethods(*designer.Table) []designer.IndexMethod {
	return []designer.IndexMethod{{Name: "btree", Has: designer.IndexUnique | designer.IndexDescends | designer.IndexSeveralKeys |
		designer.IndexExpressions | designer.IndexCollations | designer.IndexPartial}}
}
