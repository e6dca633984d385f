package mysql_test

import (
	_ "embed"
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
)

var (
	//go:embed testdata/suite/everything.sql
	everythingScript string
	//go:embed testdata/suite/shop.sql
	shopScript string
)

func TestTheEngineDoesWhatEveryEngineDoes(t *testing.T) {
	t.Parallel()
	const noPartial = "an index has no condition"
	const noSchema = "a schema is a database"
	enginetest.Run(t, enginetest.Target{
		Engine:        mysql.Engine{},
		Server:        enginetest.MySQL(),
		DefaultSchema: "shop",
		Everything:    everythingScript,
		Shop:          shopScript,
		Samples:       enginetest.Samples(t, "chinook/Chinook_MySql_AutoIncrementPKs.sql"),
		Collation:     "utf8mb4_bin",
		Unsupported: map[string]string{
			"add a table in another schema":    noSchema,
			"move a table to another schema":   noSchema,
			"move and rename a table":          noSchema,
			"add a partial index":              noPartial,
			"make an index a partial one":      noPartial,
			"make a partial index a whole one": noPartial,

			"add an index on an expression":                       "MariaDB indexes a computed column",
			"add an index on an expression and rename its column": "MariaDB indexes a computed column",
			"store columns beside the key of an index":            "an index has its keys only",
			"add an index with nulls at the other end":            "nulls come first",
			"add an index with an operator class":                 "there are none",
			"add an index with a collation":                       "it is the column's",
		},
	})
}
