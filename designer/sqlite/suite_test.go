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
	const noComments = "a file has no comments but those in its statements"
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
			"add a table with comments":                         noComments,
			"comment on a table":                                noComments,
			"comment on a table and rename it":                  noComments,
			"comment on a column":                               noComments,
			"comment on a column and change its type":           noComments,
			"comment on a computed column":                      noComments,
			"store columns beside the key of an index":          "an index has its keys only",
			"index the beginning of a column":                   "an index on an expression does that",
			"add an index with nulls at the other end":          "nulls come first",
			"add an index with an operator class":               "there are none",
			"add an index of another method":                    "there is one",
			"give an index another method":                      "there is one",
			"change the type of a column that numbers the rows": "only a column of type INTEGER numbers them",
		},
	})
}
