package enginetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/require"
)

// Server makes databases of one kind. The zero value is of no use: see
// [Postgres], [MySQL], [MSSQL] and [SQLite].
type Server struct {
	// Name is that of the dialect.
	Name string
	// Open opens the database that the DSN names; it does not connect yet.
	Open func(dsn string) (*sql.DB, error)

	create func(t testing.TB) (dsn string)
}

// patience bounds what a test waits for a server to do.
const patience = 60 * time.Second

func patiently() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), patience)
}

// New makes an empty database, gone when the test ends, and opens it. The DSN
// opens it again, in another process too. Where the server does not answer,
// the test is skipped, or fails where BERTH_TEST_REQUIRE names the dialect.
func (s Server) New(t testing.TB) (db *sql.DB, dsn string) {
	t.Helper()
	dsn = s.create(t)
	db, err := s.Open(dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() }) // before the database is dropped: cleanups run last one first
	return db, dsn
}

// PostgresDB makes an empty PostgreSQL database for one test: see
// [Server.New].
func PostgresDB(t testing.TB) *sql.DB { return only(Postgres().New(t)) }

// MySQLDB makes an empty MySQL or MariaDB database for one test: see
// [Server.New].
func MySQLDB(t testing.TB) *sql.DB { return only(MySQL().New(t)) }

// MSSQLDB makes an empty SQL Server database for one test, which must not
// call it without BERTH_TEST_MSSQL: see needs.SQLServer.
func MSSQLDB(t testing.TB) *sql.DB { return only(MSSQL().New(t)) }

// SQLiteDB makes an empty SQLite database, in a file, for one test.
func SQLiteDB(t testing.TB) *sql.DB { return only(SQLite().New(t)) }

func only(db *sql.DB, _ string) *sql.DB { return db }

// connect opens a server's own database, to make others from there.
func connect(t testing.TB, name string, open func() (*sql.DB, error)) *sql.DB {
	t.Helper()
	admin, err := open()
	require.NoError(t, err)
	ctx, cancel := patiently()
	defer cancel()
	if err := admin.PingContext(ctx); err != nil {
		_ = admin.Close()
		needs.Missing(t, name, "no server answers: "+err.Error())
	}
	return admin
}

// scratch makes a database through the server's own and drops it when the
// test ends.
func scratch(t testing.TB, admin *sql.DB, create, drop string) (name string) {
	t.Helper()
	name = nameOfScratch()
	execAdmin(t, admin, strings.ReplaceAll(create, "{name}", name))
	t.Cleanup(func() {
		execAdmin(t, admin, strings.ReplaceAll(drop, "{name}", name))
		require.NoError(t, admin.Close())
	})
	return name
}

// nameOfScratch is a name that no other database has.
func nameOfScratch() string {
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never fails
	return "berth_test_engine_" + hex.EncodeToString(random)
}

// execAdmin runs a statement on a server's own database.
func execAdmin(t testing.TB, admin *sql.DB, statement string) {
	t.Helper()
	ctx, cancel := patiently()
	defer cancel()
	_, err := admin.ExecContext(ctx, statement)
	require.NoError(t, err)
}

// dsnFrom returns the DSN in the environment, else the one given.
func dsnFrom(variable, otherwise string) string {
	if dsn := os.Getenv(variable); dsn != "" {
		return dsn
	}
	return otherwise
}
