package ddl_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/ddl"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
)

// differences lists what two designs do not have alike.
func differences(was, is *designer.Schema) (list []string) {
	for _, item := range designer.DiffOf(was, is).Items() {
		list = append(list, fmt.Sprintf("%s %s.%s %v", item.Kind, item.Table.Name, item.Name, item))
	}
	return list
}

// What the text says is what the server makes of it, but for how the server
// spells expressions.
func TestADumpReadFromItsTextIsWhatItsServerReads(t *testing.T) {
	for _, tt := range []struct {
		file   string
		engine engine.Engine
		open   func(testing.TB) *sql.DB
		schema string
	}{
		{"sqlite/testdata/dump-sqlite3.sql", sqlite.Engine{}, enginetest.SQLiteDB, "main"},
		{"postgres/testdata/dump-pg_dump.sql", postgres.Engine{}, enginetest.PostgresDB, "public"},
		{"mysql/testdata/dump-mariadb.sql", mysql.Engine{}, enginetest.MySQLDB, ""},
	} {
		t.Run(filepath.Base(tt.file), func(t *testing.T) {
			script, err := os.ReadFile(filepath.Join("..", tt.file))
			require.NoError(t, err)
			db := tt.open(t)
			loaded, err := tt.engine.Load(t.Context(), db, string(script))
			require.NoError(t, err)
			read, err := ddl.Read(string(script), tt.engine.Dialect())
			require.NoError(t, err)
			t.Log(read.Notes, read.LeftOut)
			for _, td := range loaded.Tables {
				for i := range td.ForeignKeys { // one word is the other on MySQL, and MariaDB says this one
					if k := &td.ForeignKeys[i]; k.OnUpdate == designer.Restrict && tt.schema == "" {
						k.OnUpdate = designer.NoAction
					}
				}
			}
			opts := &designer.Options{DefaultSchema: tt.schema}
			if tt.schema == "" {
				opts.DefaultSchema = loaded.Tables[0].Schema
			}
			was, err := designer.Build(tt.engine.Dialect(), loaded.Definition, opts)
			require.NoError(t, err)
			is, err := was.Adopt(read.Definition)
			require.NoError(t, err)
			assert.Empty(t, differences(was, is))
		})
	}
}
