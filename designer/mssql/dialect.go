package mssql

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// DefaultSchema is the schema that a login without another default works in.
const DefaultSchema = "dbo"

// Dialect returns what the designer has to know of SQL Server. The result is
// the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:          "mssql",
		Title:         "SQL Server",
		Types:         types(),
		MaxNameLength: 128,
		Reserved:      sqltext.WordSet(reservedWords),
		Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull,
			designer.SetDefault},
		RefuseCascades:       true,
		CommonSchemas:        []string{DefaultSchema},
		SameFamily:           sameFamily,
		UnindexedForeignKeys: true,
		SchemaWideCheckNames: true,
		ReservedPrefixes:     []string{"#"}, // a temporary table's
		SQL:                  sqltext.TSQL(),
		DefaultOptions:       []string{OptionDefaultName},
		Settle:               settle,
		DerivesComputed:      true,
	}
}

// Engine is SQL Server at work: see [engine.Engine].
type Engine struct{}

var _ engine.Engine = Engine{}

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }
