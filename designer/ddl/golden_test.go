package ddl_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/ddl"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
)

var update = flag.Bool("update", false, "rewrite the expected definitions")

func dialects() map[string]*designer.Dialect {
	return map[string]*designer.Dialect{"sqlite": sqlite.Dialect(), "postgres": postgres.Dialect(), "mysql": mysql.Dialect(), "mssql": mssql.Dialect()}
}

// Scripts in the form that programs write which are not run in tests: Management
// Studio's, and mysqldump's of MySQL itself.
func TestScriptsOfOtherToolsAreRead(t *testing.T) {
	for file, dialect := range map[string]string{"ssms.sql": "mssql", "mysql8.sql": "mysql"} {
		t.Run(file, func(t *testing.T) {
			script, err := os.ReadFile(filepath.Join("testdata", file))
			require.NoError(t, err)
			loaded, err := ddl.Read(string(script), dialects()[dialect])
			require.NoError(t, err)
			got, err := json.MarshalIndent(loaded, "", "\t")
			require.NoError(t, err)
			path := filepath.Join("testdata", strings.TrimSuffix(file, ".sql")+".json")
			if *update {
				require.NoError(t, os.WriteFile(path, append(got, '\n'), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got)+"\n")
			s, err := designer.Build(dialects()[dialect], loaded.Definition, nil)
			require.NoError(t, err)
			require.NoError(t, s.Check())
		})
	}
}

// The published samples hold the same in every dialect.
func TestSamplesReadFromTheirTextAreTheSameInEveryDialect(t *testing.T) {
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return // sample data is extra
	}
	for file, dialect := range map[string]string{"Sqlite_AutoIncrementPKs": "sqlite", "PostgreSql_SerialPKs": "postgres",
		"MySql_AutoIncrementPKs": "mysql", "SqlServer_AutoIncrementPKs": "mssql"} {
		script, err := os.ReadFile(filepath.Join(dir, "chinook", "Chinook_"+file+".sql"))
		require.NoError(t, err)
		loaded, err := ddl.Read(string(script), dialects()[dialect])
		require.NoError(t, err)
		assert.Empty(t, loaded.Notes, file)
		columns, keys, primary := 0, 0, 0
		for _, td := range loaded.Tables {
			columns, keys = columns+len(td.Columns), keys+len(td.ForeignKeys)
			if td.PrimaryKey != nil {
				primary++
			}
		}
		assert.Equal(t, []int{11, 64, 11, 11}, []int{len(loaded.Tables), columns, keys, primary}, file)
	}
	script, err := os.ReadFile(filepath.Join(dir, "northwind", "instnwnd.sql"))
	require.NoError(t, err)
	loaded, err := ddl.Read(string(script), mssql.Dialect())
	require.NoError(t, err)
	assert.Empty(t, loaded.Notes)
	assert.Len(t, loaded.Tables, 13)
}
