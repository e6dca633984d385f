package mysql

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// Dialect returns what the designer has to know of MySQL and MariaDB. The
// result is the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:          "mysql",
		Title:         "MySQL/MariaDB",
		Types:         types(),
		MaxNameLength: 64,
		Reserved:      sqltext.WordSet(reservedWords),
		// SET DEFAULT is parsed and then forgotten by InnoDB.
		Actions:              []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.Restrict},
		FixedSchemas:         true,
		CanonicalTypes:       true,
		SameFamily:           sameFamily,
		SchemaWideCheckNames: true,
		IdentityLeadsKey:     true,
		FixedIdentity:        true,
		IndexesForeignKeys:   true,
		NoPartialIndexes:     true,
		DefaultsUseColumns:   true,
		InheritsCollation:    true,
		ColumnTexts:          []string{OptionCheck},
		SplitType:            splitType,
		Settle:               settle,
		SQL:                  sqltext.MySQL(),
	}
}

// Engine is MySQL and MariaDB at work: see [engine.Engine].
type Engine struct{}

var _ engine.Engine = Engine{}

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }
