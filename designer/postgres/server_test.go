package postgres

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// TestMain keeps databases from one test to the next.
func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// open makes a database of a script, gone or given to another test at the end
// of this one.
func open(t testing.TB, script string) *sql.DB {
	t.Helper()
	db := enginetest.PostgresDB(t)
	run(t, db, script)
	return db
}

// run executes a script of several statements.
func run(t testing.TB, db *sql.DB, script string) {
	t.Helper()
	if strings.TrimSpace(script) == "" {
		return
	}
	_, err := db.Exec(script)
	require.NoError(t, err)
}

// read reads a database into a model.
func read(t testing.TB, db *sql.DB) *designer.Schema {
	t.Helper()
	def, err := Inspect(context.Background(), db)
	require.NoError(t, err)
	s, err := designer.Build(Dialect(), def, &designer.Options{DefaultSchema: DefaultSchema})
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}
