package mysql_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mysql"
	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets tests wait for the server beside each other.
func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// newDatabase makes an empty database that is dropped after the test.
func newDatabase(t testing.TB) *sql.DB {
	t.Helper()
	return enginetest.MySQLDB(t)
}

// openAs opens the database of a DSN in another way.
func openAs(t testing.TB, dsn string, change func(*driver.Config)) *sql.DB {
	t.Helper()
	c, err := driver.ParseDSN(dsn)
	require.NoError(t, err)
	change(c)
	connector, err := driver.NewConnector(c)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	require.NoError(t, db.Ping())
	return db
}

// exec runs statements one by one.
func exec(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := db.Exec(s)
		require.NoError(t, err, s)
	}
}

// build makes a schema of a definition; ids are new.
func build(t testing.TB, def designer.Definition) *designer.Schema {
	t.Helper()
	s, err := designer.Build(mysql.Dialect(), def, &designer.Options{DefaultSchema: "app"})
	require.NoError(t, err)
	require.NoError(t, s.Check())
	return s
}

// decode reads edits as a caller writes them.
func decode(t testing.TB, raw string) []designer.Edit {
	t.Helper()
	list, refused := edits.Decode(json.RawMessage(raw))
	require.Nil(t, refused)
	return list
}

// apply makes edits that have to be valid.
func apply(t testing.TB, s *designer.Schema, raw string) {
	t.Helper()
	for i, e := range decode(t, raw) {
		if _, refused := s.Apply(e); refused != nil {
			require.FailNow(t, "the edit was refused", "edits[%d]: %v", i, refused)
		}
	}
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}
