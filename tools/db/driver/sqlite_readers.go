package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/berth-dev/berth/tools/db/internal/rosqlite"
)

// sqliteReaders are the connections of an agent's queries to one file. To open
// one reads the whole schema, which takes many times what a short query does,
// and the engine computes in this process: more connections than processors
// help only behind long queries. So there are as many as that at first, and one
// more whenever those that are there have made no progress for a moment.
type sqliteReaders struct {
	*sql.DB
	connector driver.Connector

	mu      sync.Mutex
	limit   int
	opening int
	moved   time.Time // when a connection was opened, given back or allowed last
}

// stillTime is how long nothing moves before one more connection may be opened.
const stillTime = 10 * time.Millisecond

func newSQLiteReaders(path string, turns *rosqlite.Turns) *sqliteReaders {
	r := &sqliteReaders{
		connector: rosqlite.NewConnector(path, rosqlite.Options{Turns: turns}),
		limit:     min(max(2, runtime.GOMAXPROCS(0)), QueryPlaces),
	}
	r.DB = sql.OpenDB(r)
	r.SetMaxOpenConns(r.limit)
	r.SetMaxIdleConns(r.limit)
	r.SetConnMaxIdleTime(poolIdle)
	return r
}

// Connect implements [driver.Connector].
func (r *sqliteReaders) Connect(ctx context.Context) (driver.Conn, error) {
	r.note(+1)
	defer r.note(-1)
	return r.connector.Connect(ctx)
}

func (r *sqliteReaders) note(opening int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opening += opening
	r.moved = time.Now()
}

// with runs f on a connection.
func (r *sqliteReaders) with(ctx context.Context, f func(*sql.Conn) error) error {
	conn, err := r.conn(ctx)
	if err != nil {
		return connectError(ctx, err)
	}
	defer r.note(0)
	return errors.Join(f(conn), conn.Close())
}

func (r *sqliteReaders) conn(ctx context.Context) (*sql.Conn, error) {
	for {
		moment, cancel := context.WithTimeout(ctx, stillTime)
		conn, err := r.Conn(moment)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return conn, err
		}
		r.growIfStill()
	}
}

// growIfStill allows one more connection if none was opened or given back for a
// moment.
func (r *sqliteReaders) growIfStill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opening > 0 || r.limit == QueryPlaces || time.Since(r.moved) < stillTime {
		return
	}
	r.limit++
	r.moved = time.Now()
	r.SetMaxOpenConns(r.limit)
	r.SetMaxIdleConns(r.limit)
}
