package driver

import (
	"context"
	"database/sql"
	"time"

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
	pool.SetMaxOpenConns(QueryPlaces + CataloguePlaces + WritePlaces + fileSessions*FilePlaces + designerConns)
	pool.SetMaxIdleConns(QueryPlaces) // with one, callers who come at once would dial for every query
	pool.SetConnMaxIdleTime(poolIdle)
	return serverDatabase{pool: pool, designs: e}
}

func (d serverDatabase) Dialect() *designer.Dialect { return d.designs.Dialect() }

func (d serverDatabase) Engine() engine.Engine { return d.designs }

// Files returns the pool that reads.
func (d serverDatabase) Files() (*sql.DB, error) { return d.pool, nil }

// Writer returns the pool that reads: what keeps a query from writing is set
// for each query's session, not for the pool.
func (d serverDatabase) Writer() (*sql.DB, error) { return d.pool, nil }

func (d serverDatabase) Close() error { return d.pool.Close() }

func (d serverDatabase) Mark(ctx context.Context) (string, error) {
	return d.designs.Mark(ctx, d.pool)
}

func (d serverDatabase) Find(ctx context.Context, depth engine.Depth, wanted func(engine.Named) bool) (designer.Definition, error) {
	return engine.Find(ctx, d.designs, d.pool, depth, wanted)
}

// How many queries, readings of the catalogue and writes a database takes at
// once: as many callers must be let in, and no more. Most queries are short, and which are not shows only
// when they run: there are many places, so that a few long ones leave room.
// The designer's publishing and verifying go through no lane; the pools have
// connections for them.
const (
	QueryPlaces     = 24
	CataloguePlaces = 8
	WritePlaces     = 4
	FilePlaces      = 8 // of calls of the file tools, where files are rows
	fileSessions    = 2 // that such a call may have at once
	designerConns   = 4
)

// poolIdle is how long a connection that nobody uses stays open: then the
// file is free for others, and the server has its place back.
const poolIdle = 30 * time.Second
