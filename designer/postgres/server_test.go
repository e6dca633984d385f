package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// server returns the address of the server to test on, as a URL.
func server(t testing.TB) *url.URL {
	t.Helper()
	dsn := cmp.Or(os.Getenv("BERTH_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	return u
}

// connect opens a database of the server. Without a server the test is
// skipped, unless it is required.
func connect(t testing.TB, database string) *sql.DB {
	t.Helper()
	u := server(t)
	if database != "" {
		u.Path = "/" + database
	}
	db, err := sql.Open("pgx", u.String())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	if err := db.Ping(); err != nil {
		required := os.Getenv("BERTH_TEST_REQUIRE")
		if required == "all" || strings.Contains(required, "postgres") {
			require.NoError(t, err, "a PostgreSQL server is required")
		}
		t.Skipf("no PostgreSQL server: %v", err)
	}
	return db
}

// open makes a database of a script; the test's end drops it.
func open(t testing.TB, script string) *sql.DB {
	t.Helper()
	admin := connect(t, "")
	name := "berth_test_postgres_" + strings.ToLower(rand.Text()[:12])
	_, err := admin.Exec("CREATE DATABASE " + name + " TEMPLATE template0")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := admin.Exec("DROP DATABASE " + name + " WITH (FORCE)")
		assert.NoError(t, err)
	})
	db := connect(t, name)
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
