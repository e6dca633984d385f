// Package dbtest makes databases on the servers that tests of tools/db and of
// the packages below it run against, with logins and the addresses to dial
// them by. [Postgres] and [MySQL] need their servers; without a SQL Server,
// [MSSQL] skips the test.
//
// Start from [Server]. What is made is dropped when its test ends.
package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"

	driversql "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/tools/db/dial"
)

// Server is a database of a server as tests see it.
type Server struct {
	Dialect string       // as package dial names it
	Address dial.Address // of the login that made it; it has a password
	Owner   *sql.DB      // past every guard
}

// Login is a login that a test made.
type Login struct{ User, Password string }

// As returns the server's address for another login.
func (s Server) As(l Login) dial.Address {
	a := s.Address
	a.User, a.Password = l.User, Constant(l.Password)
	return a
}

// Constant returns what answers with a password.
func Constant(password string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return password, nil }
}

// Exec runs statements as the owner.
func (s Server) Exec(t testing.TB, script string, args ...any) {
	t.Helper()
	_, err := s.Owner.ExecContext(t.Context(), script, args...)
	require.NoError(t, err, script)
}

// Count runs a query of one number as the owner.
func (s Server) Count(t testing.TB, query string) (n int) {
	t.Helper()
	require.NoError(t, s.Owner.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}

// Postgres makes a database and runs a script in it.
func Postgres(t testing.TB, script string) Server {
	t.Helper()
	owner, dsn := enginetest.Postgres().New(t)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	port, err := strconv.Atoi(u.Port())
	require.NoError(t, err)
	a := dial.Address{Host: u.Hostname(), Port: port, User: u.User.Username(), Database: strings.TrimPrefix(u.Path, "/"), SSLMode: u.Query().Get("sslmode")}
	password, _ := u.User.Password()
	a.Password = Constant(password)
	s := Server{dial.PostgreSQL, a, owner}
	if script != "" {
		s.Exec(t, script)
	}
	return s
}

// MySQL makes a database and runs scripts in it, whose statements end with two
// semicolons at the end of a line.
func MySQL(t testing.TB, scripts ...string) Server {
	t.Helper()
	owner, dsn := enginetest.MySQL().New(t)
	config, err := driversql.ParseDSN(dsn)
	require.NoError(t, err)
	host, port, err := net.SplitHostPort(config.Addr)
	require.NoError(t, err)
	a := dial.Address{Host: host, User: config.User, Password: Constant(config.Passwd), Database: config.DBName}
	a.Port, err = strconv.Atoi(port)
	require.NoError(t, err)
	s := Server{dial.MySQL, a, owner}
	s.batches(t, scripts)
	return s
}

// MSSQL is [MySQL] for SQL Server. It skips the test without BERTH_TEST_MSSQL.
func MSSQL(t testing.TB, scripts ...string) Server {
	t.Helper()
	needs.SQLServer(t)
	owner, dsn := enginetest.MSSQL().New(t)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	password, _ := u.User.Password()
	a := dial.Address{Host: u.Hostname(), User: u.User.Username(), Password: Constant(password), Database: u.Query().Get("database"), Params: map[string]string{}}
	for name, values := range u.Query() {
		if name != "database" {
			a.Params[name] = values[0]
		}
	}
	if u.Port() != "" {
		a.Port, err = strconv.Atoi(u.Port())
		require.NoError(t, err)
	}
	s := Server{dial.SQLServer, a, owner}
	s.batches(t, scripts)
	return s
}

// batches runs scripts whose statements end with two semicolons at the end of
// a line.
func (s Server) batches(t testing.TB, scripts []string) {
	t.Helper()
	for _, script := range scripts {
		for _, statement := range strings.Split(script, ";;\n") {
			if statement = strings.TrimSpace(statement); statement != "" {
				s.Exec(t, statement)
			}
		}
	}
}

// Ordinary makes a login that may read everything in the database and owns
// nothing.
func (s Server) Ordinary(t testing.TB) Login {
	t.Helper()
	l := Login{"berth_test_db_" + randomName(), "read only"}
	switch s.Dialect {
	case dial.PostgreSQL:
		s.Exec(t, "CREATE ROLE "+l.User+" LOGIN PASSWORD 'read only'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+l.User+"; GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO "+l.User)
		t.Cleanup(func() { _, _ = s.Owner.Exec("DROP OWNED BY " + l.User + "; DROP ROLE " + l.User) })
	case dial.MySQL:
		l.User = l.User[:20] // some versions take no more
		s.Exec(t, "CREATE USER '"+l.User+"'@'%' IDENTIFIED BY 'read only'")
		t.Cleanup(func() { _, _ = s.Owner.Exec("DROP USER '" + l.User + "'@'%'") })
		s.Exec(t, "GRANT SELECT, SHOW VIEW, EXECUTE ON `"+s.Address.Database+"`.* TO '"+l.User+"'@'%'")
	case dial.SQLServer:
		l.Password = "Read0nly!" + randomName()
		s.Exec(t, "CREATE LOGIN "+l.User+" WITH PASSWORD = '"+l.Password+"'")
		t.Cleanup(func() { _, _ = s.Owner.Exec("DROP LOGIN " + l.User) })
		s.Exec(t, "CREATE USER "+l.User+" FOR LOGIN "+l.User)
		for _, table := range []string{"t", "audit", "v", "v_shells", "v_on_view"} {
			s.Exec(t, "GRANT SELECT ON "+table+" TO "+l.User)
		}
	}
	return l
}

func randomName() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
