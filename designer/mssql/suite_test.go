package mssql_test

import (
	_ "embed"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/e2e/needs"
)

var (
	//go:embed testdata/suite/everything.sql
	everythingScript string
	//go:embed testdata/suite/shop.sql
	shopScript string
)

// Without a SQL Server the golden scripts alone show the engine. On
// Babelfish the suite leaves out what that server lacks, and says so; see
// [mssql.Lacking] and what its scripts leave out.
func TestTheEngineDoesWhatEveryEngineDoes(t *testing.T) {
	needs.SQLServer(t)
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
		Text:      "nvarchar(max)", // nothing but text converts to ntext
		Unsupported: map[string]string{
			"add an index on an expression":                       "SQL Server indexes a computed column",
			"add an index on an expression and rename its column": "SQL Server indexes a computed column",
			"index the beginning of a column":                     "SQL Server indexes a computed column",
			"add an index with nulls at the other end":            "nulls come first",
			"add an index with an operator class":                 "there are none",
			"add an index with a collation":                       "it is the column's",
		},
	}
	db, err := target.Server.Open(os.Getenv("BERTH_TEST_MSSQL"))
	require.NoError(t, err)
	babelfish, err := mssql.IsBabelfish(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	if babelfish {
		fish := mssql.NewBabelfish()
		target.Engine, target.Lacks = fish, fish.Lacking
		target.Everything = withoutLacking(t, target.Everything)
		target.Unsupported["store a computed column"] = "Babelfish stores every one"
		target.Unsupported["make a partial index a whole one"] = "Babelfish calls every index whole"
	}
	enginetest.Run(t, target)
}

// withoutLacking takes out of a script what Babelfish lacks.
func withoutLacking(t *testing.T, script string) string {
	for _, l := range []struct{ what, text, instead string }{
		{"names with ]", `[the odd ]] "name"]`, `[the odd "name"]`},
		{"computed columns of CONCAT", "    label AS (concat(title, ' #', copies)),\n", ""},
		{"sequences in defaults that it reads back as it was told", "DEFAULT (NEXT VALUE FOR library.ticket)", ""},
	} {
		require.Contains(t, script, l.text)
		script = strings.ReplaceAll(script, l.text, l.instead)
		t.Logf("the script does without: Babelfish lacks %s", l.what)
	}
	return script
}
