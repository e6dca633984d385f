package sqlite_test

import (
	_ "embed"
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/sqlite"
)

var (
	//go:embed testdata/suite/everything.sql
	everythingScript string
	//go:embed testdata/suite/shop.sql
	shopScript string
)

func TestTheEngineDoesWhatEveryEngineDoes(t *testing.T) {
	enginetest.Run(t, enginetest.Target{
		Engine:        sqlite.Engine{},
		Server:        enginetest.SQLite(),
		DefaultSchema: sqlite.DefaultSchema,
		Everything:    everythingScript,
		Shop:          shopScript,
		Samples:       enginetest.Samples(t, "chinook/Chinook_Sqlite_AutoIncrementPKs.sql"),
		Collation:     "NOCASE",
		Unsupported: map[string]string{
			"add a table in another schema":                     "a database has one schema",
			"move a table to another schema":                    "a database has one schema",
			"move and rename a table":                           "a database has one schema",
			"change the type of a column that numbers the rows": "only a column of type INTEGER numbers them",
		},
	})
}
