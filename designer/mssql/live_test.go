package mssql

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/e2e/needs"
)

// server is what BERTH_TEST_MSSQL names, a sqlserver URL.
type server struct {
	dsn       string
	admin     *sql.DB
	babelfish bool // a server of T-SQL that lacks much of SQL Server
	fish      Babelfish
}

// live runs the test on the server, and skips it where there is none.
func live(t *testing.T, name string, run func(t *testing.T, s *server)) {
	t.Run(name, func(t *testing.T) {
		needs.SQLServer(t) // the statements are checked by a parser in any case
		dsn := os.Getenv("BERTH_TEST_MSSQL")
		s := &server{dsn: dsn, fish: NewBabelfish()}
		var err error
		s.admin, err = sql.Open("sqlserver", dsn)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, s.admin.Close()) })
		s.babelfish, err = IsBabelfish(t.Context(), s.admin)
		require.NoError(t, err)
		run(t, s)
	})
}

// engine is the one for the server.
func (s *server) engine() engine.Engine {
	if s.babelfish {
		return s.fish
	}
	return Engine{}
}

// lacks returns what the server has not that a plan needs.
func (s *server) lacks(d *designer.Diff, p designer.Plan) string {
	if s.babelfish {
		return s.fish.Lacking(d, p)
	}
	return ""
}

// database makes an empty one, gone when the test ends.
func (s *server) database(t *testing.T) *sql.DB {
	t.Helper()
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never fails
	name := "berth_test_mssql_" + hex.EncodeToString(random)
	run(t, s.admin, "CREATE DATABASE "+name)
	u, err := url.Parse(s.dsn)
	require.NoError(t, err)
	q := u.Query()
	q.Set("database", name)
	u.RawQuery = q.Encode()
	db, err := sql.Open("sqlserver", u.String())
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, db.Close())
		run(t, s.admin, "DROP DATABASE "+name)
	})
	return db
}

// run executes the batches of scripts on one connection.
func run(t *testing.T, db *sql.DB, scripts ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	for _, script := range scripts {
		for _, b := range Batches(script) {
			_, err := c.ExecContext(ctx, b)
			require.NoError(t, err, "%s", b[:min(len(b), 2000)])
		}
	}
}

func read(t *testing.T, s *server, db *sql.DB) *designer.Schema {
	t.Helper()
	def, err := s.engine().Inspect(context.Background(), db)
	require.NoError(t, err)
	schema, err := designer.Build(Dialect(), def, nil)
	require.NoError(t, err)
	require.NoError(t, schema.Check())
	return schema
}

// sample reads a script of the folder of sample databases, "" without one.
func sample(t *testing.T, path string) string {
	t.Helper()
	dir := os.Getenv("BERTH_TEST_DATA")
	if dir == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	require.NoError(t, err)
	return strings.TrimPrefix(string(text), "\ufeff")
}
