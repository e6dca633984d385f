package enginetest

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"  // the driver "pgx"
	_ "github.com/microsoft/go-mssqldb" // the driver "sqlserver"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Postgres is the PostgreSQL server at BERTH_TEST_POSTGRES, a URL; without it
// the one on this machine.
func Postgres() Server {
	open := func(dsn string) (*sql.DB, error) { return sql.Open("pgx", dsn) }
	return Server{Name: "postgres", Open: open, create: func(t testing.TB) string {
		server := dsnFrom("BERTH_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
		admin := connect(t, "postgres", func() (*sql.DB, error) { return open(server) })
		u, err := url.Parse(server)
		require.NoError(t, err)
		name := spare.take()
		if name == "" {
			name = nameOfScratch()
			execAdmin(t, admin, "CREATE DATABASE "+name+" TEMPLATE template0")
			require.NoError(t, spare.made(server, name))
		}
		t.Cleanup(func() {
			if t.Failed() || !spare.give(server, name) {
				execAdmin(t, admin, "DROP DATABASE "+name+" WITH (FORCE)")
			}
			require.NoError(t, admin.Close())
		})
		u.Path = "/" + name
		return u.String()
	}}
}

// MySQL is the MySQL or MariaDB server at BERTH_TEST_MYSQL, a DSN of
// go-sql-driver; without it the one on this machine.
func MySQL() Server {
	open := func(dsn string) (*sql.DB, error) { return sql.Open("mysql", dsn) }
	return Server{Name: "mysql", Open: open, create: func(t testing.TB) string {
		server := dsnFrom("BERTH_TEST_MYSQL", "root@tcp(127.0.0.1:3306)/")
		admin := connect(t, "mysql", func() (*sql.DB, error) { return open(server) })
		c, err := mysql.ParseDSN(server)
		require.NoError(t, err)
		c.DBName = scratch(t, admin, "CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "DROP DATABASE {name}")
		return c.FormatDSN()
	}}
}

// MSSQL is the SQL Server at BERTH_TEST_MSSQL, a sqlserver URL.
func MSSQL() Server {
	open := func(dsn string) (*sql.DB, error) { return sql.Open("sqlserver", dsn) }
	return Server{Name: "mssql", Open: open, create: func(t testing.TB) string {
		server := os.Getenv("BERTH_TEST_MSSQL")
		require.NotEmpty(t, server, "BERTH_TEST_MSSQL names no server")
		admin := connect(t, "mssql", func() (*sql.DB, error) { return open(server) })
		u, err := url.Parse(server)
		require.NoError(t, err)
		query := u.Query()
		query.Set("database", scratch(t, admin, "CREATE DATABASE {name}", "DROP DATABASE {name}"))
		u.RawQuery = query.Encode()
		return u.String()
	}}
}

// SQLite makes databases in files of the test's own folder.
func SQLite() Server {
	return Server{
		Name: "sqlite",
		Open: func(dsn string) (*sql.DB, error) { return sql.Open("sqlite", dsn) },
		create: func(t testing.TB) string {
			// What a killed process wrote is there without a sync, too.
			return "file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "test.db")) + "?_pragma=synchronous(OFF)"
		},
	}
}
