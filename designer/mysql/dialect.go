package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// Dialect returns what the designer has to know of MySQL and MariaDB. The
// result is the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:       "mysql",
		Title:      "MySQL/MariaDB",
		Types:      types(),
		Reserved:   sqltext.WordSet(reservedWords),
		Names:      designer.NameRules{MaxLength: 64, SchemaWideChecks: true, BasicPlane: true},
		Schemas:    designer.SchemaRules{Fixed: true},
		TypeNames:  designer.TypeNameRules{Split: splitType, Canonical: true},
		NamedTypes: designer.NamedTypeRules{Instead: "the values are part of a column's type, as enum('open','closed')"},
		Columns:    designer.ColumnRules{Texts: []string{OptionCheck}, DefaultsUseColumns: true, InheritCollation: true},
		Identity:   designer.IdentityRules{Place: designer.IdentityLeadsKey, CountsByOne: true},
		ForeignKeys: designer.ForeignKeyRules{
			// SET DEFAULT is parsed and then forgotten by InnoDB.
			Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.Restrict},
			Pairs:   sameFamily,
			Indexed: true,
		},
		Indexes:  designer.IndexRules{WholeTable: true, UniqueIndexes: true, Methods: indexMethods},
		Comments: designer.CommentRules{Table: 2048, Column: 1024},
		SQL:      sqltext.MySQL(),
		Settle:   settle,
	}
}

// Engine is MySQL and MariaDB at work: see [engine.Engine].
type Engine struct{}

var (
	_ engine.Engine     = Engine{}
	_ engine.LockReader = Engine{}
)

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }

// indexMethods are those of a table's engine. InnoDB takes HASH as well, and
// makes a tree.
func indexMethods(t *designer.Table) []designer.IndexMethod {
	const ordinary = designer.IndexUnique | designer.IndexDescends | designer.IndexSeveralKeys | designer.IndexExpressions | designer.IndexLengths
	tree := designer.IndexMethod{Name: methodBTree, Has: ordinary}
	if strings.EqualFold(t.Options[OptionEngine], "MEMORY") {
		return []designer.IndexMethod{{Name: "hash", Has: ordinary &^ designer.IndexDescends}, tree}
	}
	return []designer.IndexMethod{tree, {Name: methodFullText, Has: designer.IndexSeveralKeys}, {Name: methodSpatial}}
}
