package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
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
		Reserved: wordSet(reservedWords),
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

// sameFamily reports whether a foreign key may pair the columns: SQL Server
// wants the same type (error 1778), the same length and scale (1753) and the
// same collation (1757). It takes decimals of unlike precision where both
// need the same room. What the dialect does not know, such as a type of the
// user's own, is left to the server.
func sameFamily(a, b designer.Column) bool {
	d := typesByName
	x, known := d[strings.ToLower(a.DataType)]
	y, both := d[strings.ToLower(b.DataType)]
	if !known || !both {
		return true
	}
	return x.Name == y.Name && strings.EqualFold(a.MaxLength, b.MaxLength) && a.Scale == b.Scale &&
		decimalBytes(a.Precision) == decimalBytes(b.Precision) && strings.EqualFold(a.Collation, b.Collation)
}

// decimalBytes is the room a decimal of so many digits needs; 0 for types
// without a precision.
func decimalBytes(precision int) int {
	switch {
	case precision == 0:
		return 0
	case precision <= 9:
		return 5
	case precision <= 19:
		return 9
	case precision <= 28:
		return 13
	}
	return 17
}
