package db

import (
	"os"
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/pool"
)

// TestMain keeps databases from one test to the next.
func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// served is a database of a server as tests see it.
type served struct {
	dbtest.Server
	config pool.Config // of the login that made it
}

func serve(s dbtest.Server) served {
	return served{s, pool.Config{Name: "app", Dialect: s.Dialect, Address: s.Address}}
}

// connect returns the database's connections, of the login that made it or of
// another.
func (s served) connect(t testing.TB, opts settings, logins ...dbtest.Login) testProject {
	t.Helper()
	cfg := s.config
	for _, l := range logins {
		cfg.Address.User, cfg.Address.Password = l.User, dbtest.Constant(l.Password)
	}
	opts.Connections, opts.NoDiscovery = []pool.Config{cfg}, true
	return connections(t, t.TempDir(), opts)
}

func postgresServed(t testing.TB, script string) served {
	t.Helper()
	return serve(dbtest.Postgres(t, script))
}

func mysqlServed(t testing.TB, scripts ...string) served {
	t.Helper()
	return serve(dbtest.MySQL(t, scripts...))
}

// mssqlServed skips the test without BERTH_TEST_MSSQL.
func mssqlServed(t testing.TB, scripts ...string) served {
	t.Helper()
	return serve(dbtest.MSSQL(t, scripts...))
}
