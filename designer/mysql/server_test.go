package mysql_test

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
)

// config says where the server for tests is.
func config(t testing.TB) *driver.Config {
	t.Helper()
	dsn := os.Getenv("BERTH_TEST_MYSQL")
	if dsn == "" {
		dsn = "root@tcp(127.0.0.1:3306)/"
	}
	c, err := driver.ParseDSN(dsn)
	require.NoError(t, err)
	return c
}

// connect opens a pool with a default database, "" for none. Without a server
// the test is skipped, unless servers are required.
func connect(t testing.TB, database string) *sql.DB {
	t.Helper()
	c := config(t)
	c.DBName = database
	connector, err := driver.NewConnector(c)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	if err := db.Ping(); err != nil {
		required := os.Getenv("BERTH_TEST_REQUIRE")
		if required == "all" || strings.Contains(required, "mysql") {
			require.NoError(t, err, "a MySQL or MariaDB server is required")
		}
		t.Skipf("no MySQL or MariaDB server: %v", err)
	}
	return db
}

// newDatabase makes an empty database that is dropped after the test.
func newDatabase(t testing.TB) *sql.DB {
	t.Helper()
	server := connect(t, "")
	suffix := make([]byte, 6)
	_, err := rand.Read(suffix)
	require.NoError(t, err)
	name := "berth_test_mysql_" + hex.EncodeToString(suffix)
	_, err = server.Exec("CREATE DATABASE " + name + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := server.Exec("DROP DATABASE IF EXISTS " + name)
		assert.NoError(t, err)
	})
	return connect(t, name)
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
	edits, refused := designer.DecodeEdits(json.RawMessage(raw))
	require.Nil(t, refused)
	return edits
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
