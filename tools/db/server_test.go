package db

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

// served is a database of a server as tests see it.
type served struct {
	config Config  // of the login that made it
	owner  *sql.DB // past every guard
}

// connect returns the database's connections, of the login that made it or of
// another.
func (s served) connect(t testing.TB, opts Options, logins ...login) *Connections {
	t.Helper()
	cfg := s.config
	for _, l := range logins {
		cfg.Address.User, cfg.Address.Password = l.user, constant(l.password)
	}
	opts.Connections, opts.NoDiscovery = []Config{cfg}, true
	return connections(t, t.TempDir(), opts)
}

type login struct{ user, password string }

func constant(password string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return password, nil }
}

// exec runs statements as the owner.
func (s served) exec(t testing.TB, script string, args ...any) {
	t.Helper()
	_, err := s.owner.ExecContext(t.Context(), script, args...)
	require.NoError(t, err, script)
}

func postgresServed(t testing.TB, script string) served {
	t.Helper()
	owner, dsn := enginetest.Postgres().New(t)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	port, err := strconv.Atoi(u.Port())
	require.NoError(t, err)
	a := dial.Address{Host: u.Hostname(), Port: port, User: u.User.Username(), Database: strings.TrimPrefix(u.Path, "/"), SSLMode: u.Query().Get("sslmode")}
	if password, ok := u.User.Password(); ok {
		a.Password = constant(password)
	}
	s := served{Config{Name: "app", Dialect: dial.PostgreSQL, Address: a}, owner}
	if script != "" {
		s.exec(t, script)
	}
	return s
}

func mysqlServed(t testing.TB, scripts ...string) served {
	t.Helper()
	owner, dsn := enginetest.MySQL().New(t)
	config, err := driversql.ParseDSN(dsn)
	require.NoError(t, err)
	host, port, err := net.SplitHostPort(config.Addr)
	require.NoError(t, err)
	a := dial.Address{Host: host, User: config.User, Password: constant(config.Passwd), Database: config.DBName}
	a.Port, err = strconv.Atoi(port)
	require.NoError(t, err)
	s := served{Config{Name: "app", Dialect: dial.MySQL, Address: a}, owner}
	s.batches(t, scripts)
	return s
}

// mssqlServed skips the test without BERTH_TEST_MSSQL.
func mssqlServed(t testing.TB, scripts ...string) served {
	t.Helper()
	needs.SQLServer(t)
	owner, dsn := enginetest.MSSQL().New(t)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	password, _ := u.User.Password()
	a := dial.Address{Host: u.Hostname(), User: u.User.Username(), Password: constant(password), Database: u.Query().Get("database"), Params: map[string]string{}}
	for name, values := range u.Query() {
		if name != "database" {
			a.Params[name] = values[0]
		}
	}
	if u.Port() != "" {
		a.Port, err = strconv.Atoi(u.Port())
		require.NoError(t, err)
	}
	s := served{Config{Name: "app", Dialect: dial.SQLServer, Address: a}, owner}
	s.batches(t, scripts)
	return s
}

// batches runs scripts whose statements end with two semicolons at the end of
// a line.
func (s served) batches(t testing.TB, scripts []string) {
	t.Helper()
	for _, script := range scripts {
		for _, statement := range strings.Split(script, ";;\n") {
			if statement = strings.TrimSpace(statement); statement != "" {
				s.exec(t, statement)
			}
		}
	}
}

// ordinary makes a login that may read everything in the database and owns
// nothing.
func (s served) ordinary(t testing.TB) login {
	t.Helper()
	l := login{"berth_test_db_" + randomName(), "read only"}
	switch s.config.Dialect {
	case dial.PostgreSQL:
		s.exec(t, "CREATE ROLE "+l.user+" LOGIN PASSWORD 'read only'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+l.user+"; GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO "+l.user)
		t.Cleanup(func() { _, _ = s.owner.Exec("DROP OWNED BY " + l.user + "; DROP ROLE " + l.user) })
	case dial.MySQL:
		l.user = l.user[:20] // some versions take no more
		s.exec(t, "CREATE USER '"+l.user+"'@'%' IDENTIFIED BY 'read only'")
		t.Cleanup(func() { _, _ = s.owner.Exec("DROP USER '" + l.user + "'@'%'") })
		s.exec(t, "GRANT SELECT, SHOW VIEW, EXECUTE ON `"+s.config.Address.Database+"`.* TO '"+l.user+"'@'%'")
	case dial.SQLServer:
		l.password = "Read0nly!" + randomName()
		s.exec(t, "CREATE LOGIN "+l.user+" WITH PASSWORD = '"+l.password+"'")
		t.Cleanup(func() { _, _ = s.owner.Exec("DROP LOGIN " + l.user) })
		s.exec(t, "CREATE USER "+l.user+" FOR LOGIN "+l.user)
		for _, table := range []string{"t", "audit", "v", "v_shells", "v_on_view"} {
			s.exec(t, "GRANT SELECT ON "+table+" TO "+l.user)
		}
	}
	return l
}

func randomName() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
