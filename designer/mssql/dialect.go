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
		Name:     "mssql",
		Title:    "SQL Server",
		Types:    types(),
		Reserved: sqltext.WordSet(reservedWords),
		Names:    designer.NameRules{MaxLength: 128, SchemaWideChecks: true, ReservedPrefixes: []string{"#"}}, // a temporary table's
		Schemas:  designer.SchemaRules{Common: []string{DefaultSchema}},
		Columns:  designer.ColumnRules{Computed: designer.ComputedDerived, DefaultOptions: []string{OptionDefaultName}},
		ForeignKeys: designer.ForeignKeyRules{
			Actions:        []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.SetDefault},
			Pairs:          sameFamily,
			RefuseCascades: true,
		},
		SQL:    sqltext.TSQL(),
		Settle: settle,
	}
}

// Engine is SQL Server at work: see [engine.Engine].
type Engine struct{}

var _ engine.Engine = Engine{}

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }
