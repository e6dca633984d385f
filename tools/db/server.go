package db

import (
	"database/sql"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
)

// serverDatabase is what the databases reached over a network share: a lazy
// pool, in which nobody waits who has a place in a lane, and the dialect's
// engine.
type serverDatabase struct {
	pool    *sql.DB
	designs engine.Engine
}

func newServerDatabase(pool *sql.DB, e engine.Engine) serverDatabase {
	pool.SetMaxOpenConns(queryPlaces + cataloguePlaces + writePlaces + designerConns)
	pool.SetMaxIdleConns(1)
	pool.SetConnMaxIdleTime(poolIdle)
	return serverDatabase{pool: pool, designs: e}
}

func (d serverDatabase) dialect() *designer.Dialect { return d.designs.Dialect() }

func (d serverDatabase) engine() engine.Engine { return d.designs }

// writer returns the pool that reads: what keeps a query from writing is set
// for each query's session, not for the pool.
func (d serverDatabase) writer() (*sql.DB, error) { return d.pool, nil }

func (d serverDatabase) close() error { return d.pool.Close() }
