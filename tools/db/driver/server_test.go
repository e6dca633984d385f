package driver

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/dbtest"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// served is a database of a server as tests see it.
type served struct{ dbtest.Server }

// connect opens the database for the login that made it, or for another.
func (s served) connect(t testing.TB, logins ...dbtest.Login) Database {
	t.Helper()
	a := s.Address
	for _, l := range logins {
		a = s.As(l)
	}
	open := map[string]func(dial.Address) (Database, error){dial.PostgreSQL: OpenPostgres, dial.MySQL: OpenMySQL, dial.SQLServer: OpenMSSQL}[s.Dialect]
	d, err := open(a)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, d.Close()) })
	return d
}

func postgresServed(t testing.TB, script string) served {
	t.Helper()
	return served{dbtest.Postgres(t, script)}
}

func mysqlServed(t testing.TB, scripts ...string) served {
	t.Helper()
	return served{dbtest.MySQL(t, scripts...)}
}

// mssqlServed skips the test without BERTH_TEST_MSSQL.
func mssqlServed(t testing.TB, scripts ...string) served {
	t.Helper()
	return served{dbtest.MSSQL(t, scripts...)}
}

// reply is what run-query's reply has of a query.
type reply struct {
	Content []string
	IsError bool
}

// ask runs a query as run-query does: it is checked first.
func ask(t testing.TB, d Database, query string) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if refusal := d.Check(query, false); refusal != nil {
		return reply{[]string{refusal.Error()}, true}
	}
	rows := rowset.NewReply(200, 64<<10)
	if err := d.Query(ctx, query, rows); err != nil {
		return reply{[]string{Message(err)}, true}
	}
	return reply{Content: []string{rows.JSON(0)}}
}

// corpus reads a list of queries of the guards' package.
func corpus(t testing.TB, name, database string) []string {
	t.Helper()
	return dbtest.Corpus(t, "../readonly/testdata/"+name, database)
}

// script reads a script of the guards' package.
func script(t testing.TB, name string) string {
	t.Helper()
	return dbtest.Script(t, "../readonly/testdata/"+name)
}
