package mysql

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// Keys of the options that a design of this dialect has. A key that is not
// here, in a table's options, is a table option by its own name.
const (
	OptionEngine      = "engine"            // of a table: the storage engine, where it is not InnoDB
	OptionCollation   = "collation"         // of a table: where it is not the database's
	OptionPartitionBy = "partition_by"      // of a table: the text after PARTITION BY
	OptionVersioned   = "system_versioning" // of a table: "yes" (MariaDB)

	OptionOnUpdate    = "on_update"   // of a column: the expression, as current_timestamp()
	OptionInvisible   = "invisible"   // of a column, or of an index (MySQL): "yes"
	OptionCompressed  = "compressed"  // of a column: the attribute as MariaDB writes it
	OptionUnversioned = "unversioned" // of a column of a versioned table: "yes"
	OptionCheck       = "check"       // of a column: the condition of its own check (MariaDB)
	OptionSRID        = "srid"        // of a column of a spatial type (MySQL)

	OptionComment     = "comment"      // of an index
	OptionIgnored     = "ignored"      // of an index: "yes" (MariaDB)
	OptionNotEnforced = "not_enforced" // of a check: "yes" (MySQL)

	OptionSQLMode = "sql_mode" // of a routine, trigger or event: where it is not the server's

	OptionDefiner      = "definer"       // of a view or trigger, as SQL writes it: where it is not who reads
	OptionDefinerFixed = "definer_fixed" // of the same: "yes", where who reads may not make it in that name
)

const yes = "yes"

// Dialect returns what the designer has to know of MySQL and MariaDB. The
// result is the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:      "mysql",
		Title:     "MySQL/MariaDB",
		Types:     types(),
		Reserved:  wordSet(reservedWords),
		Names:     designer.NameRules{MaxLength: 64, SchemaWideChecks: true},
		Schemas:   designer.SchemaRules{Fixed: true},
		TypeNames: designer.TypeNameRules{Split: splitType, Canonical: true},
		Columns:   designer.ColumnRules{Texts: []string{OptionCheck}, DefaultsUseColumns: true, InheritCollation: true},
		Identity:  designer.IdentityRules{Place: designer.IdentityLeadsKey, CountsByOne: true},
		ForeignKeys: designer.ForeignKeyRules{
			// SET DEFAULT is parsed and then forgotten by InnoDB.
			Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull, designer.Restrict},
			Pairs:   sameFamily,
			Indexed: true,
		},
		Indexes: designer.IndexRules{WholeTable: true},
		SQL:     sqltext.MySQL(),
		Settle:  settle,
	}
}
