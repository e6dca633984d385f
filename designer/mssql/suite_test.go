package mssql_test

import (
	_ "embed"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mssql"
)

var (
	//go:embed testdata/suite/everything.sql
	everythingScript string
	//go:embed testdata/suite/shop.sql
	shopScript string
)

// Without a SQL Server the engine is shown by its golden scripts alone. On
// Babelfish the suite leaves out what that server lacks, and says so; see
// [mssql.Lacking] and what its scripts leave out.
func TestTheEngineDoesWhatEveryEngineDoes(t *testing.T) {
	assert.Equal(t, "mssql", mssql.Engine{}.Dialect().Name)
	if !enginetest.HasMSSQL() {
		return
	}
	target := enginetest.Target{
		Engine:        mssql.Engine{},
		Server:        enginetest.MSSQL(),
		DefaultSchema: "dbo",
		Everything:    everythingScript,
		Shop:          shopScript,
		Samples: enginetest.Samples(t, "chinook/Chinook_SqlServer_AutoIncrementPKs.sql",
			"northwind/instnwnd.sql"),
		Schema:    "archive",
		Collation: "Latin1_General_CI_AI",
	}
	db, err := target.Server.Open(os.Getenv("BERTH_TEST_MSSQL"))
	require.NoError(t, err)
	babelfish, err := mssql.IsBabelfish(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	if babelfish {
		target.Engine, target.Lacks = mssql.Babelfish{}, mssql.Lacking
	}
	enginetest.Run(t, target)
}
