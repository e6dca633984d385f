package mssql_test

import (
	_ "embed"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mssql"
)

var (
	//go:embed testdata/suite/everything.sql
	everythingScript string
	//go:embed testdata/suite/shop.sql
	shopScript string
)

// Without a SQL Server the engine is shown by its golden scripts alone.
func TestTheEngineDoesWhatEveryEngineDoes(t *testing.T) {
	assert.Equal(t, "mssql", mssql.Engine{}.Dialect().Name)
	if !enginetest.HasMSSQL() {
		return
	}
	enginetest.Run(t, enginetest.Target{
		Engine:        mssql.Engine{},
		Server:        enginetest.MSSQL(),
		DefaultSchema: "dbo",
		Everything:    everythingScript,
		Shop:          shopScript,
		Samples: enginetest.Samples(t, "chinook/Chinook_SqlServer_AutoIncrementPKs.sql",
			"northwind/instnwnd.sql"),
		Schema:    "archive",
		Collation: "Latin1_General_CI_AI",
	})
}
