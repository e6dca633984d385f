package postgres_test

import (
	_ "embed"
	"strconv"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/postgres"
)

var (
	//go:embed testdata/suite/everything.sql
	everythingScript string
	//go:embed testdata/everything.sql
	cornersScript string
	//go:embed testdata/suite/shop.sql
	shopScript string
)

func TestTheEngineDoesWhatEveryEngineDoes(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, enginetest.Target{
		Engine:        postgres.Engine{},
		Server:        enginetest.Postgres(),
		DefaultSchema: "public",
		Everything:    everythingScript,
		Shop:          shopScript,
		Samples:       enginetest.Samples(t, "chinook/Chinook_PostgreSql_SerialPKs.sql"),
		Carried:       map[string]string{"corners": cornersScript},
		Schema:        "archive",
		Collation:     "C",
		Unsupported: map[string]string{
			"store a computed column":         "PostgreSQL 15 has stored ones only",
			"store a computed column no more": "PostgreSQL 15 has stored ones only",
			"index the beginning of a column": "an index on an expression does that",
		},
		Literals: map[designer.TypeKind]func(n int) string{
			designer.KindBool: func(n int) string { return strconv.FormatBool(n%2 == 0) },
		},
	})
}
