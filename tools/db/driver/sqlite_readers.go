package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"runtime"

	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
)

// sqliteReaders are the connections of an agent's queries to one file. To open
// one reads the whole schema, which takes many times what a short query does,
// and the engine computes in this process: there are as many as processors at
// first.
type sqliteReaders struct {
	*sql.DB
	places *gradual
}

func newSQLiteReaders(path string, turns *rosqlite.Turns) sqliteReaders {
	places := newGradual(processors(), QueryPlaces)
	pool := sql.OpenDB(notedConnector{rosqlite.NewConnector(path, rosqlite.Options{Turns: turns}), places})
	pool.SetMaxIdleConns(QueryPlaces)
	pool.SetConnMaxIdleTime(poolIdle)
	return sqliteReaders{pool, places}
}

// processors is how many short queries are run at once where they share this
// machine's processors.
func processors() int { return max(2, runtime.GOMAXPROCS(0)) }

// notedConnector notes that a connection is being opened.
type notedConnector struct {
	driver.Connector
	places *gradual
}

// Connect implements [driver.Connector].
func (c notedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c.places.note(+1)
	defer c.places.note(-1)
	return c.Connector.Connect(ctx)
}

// with runs f on a connection.
func (r sqliteReaders) with(ctx context.Context, f func(*sql.Conn) error) error {
	if err := r.places.enter(ctx); err != nil {
		return connectError(ctx, err)
	}
	defer r.places.leave()
	conn, err := r.Conn(ctx)
	if err != nil {
		return connectError(ctx, err)
	}
	return errors.Join(f(conn), conn.Close())
}
