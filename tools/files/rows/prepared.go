package rows

import (
	"context"
	"database/sql"
	"sync"
)

// prepared keeps the last query of a pool of SQLite prepared: to parse it takes
// as long as to read a file. The driver for PostgreSQL does that by itself. The
// zero value is ready, and is safe for concurrent use.
type prepared struct {
	mu    sync.RWMutex
	db    *sql.DB // of stmt
	query string
	stmt  *sql.Stmt // nil: there is none
}

// of returns what runs queries of a pool prepared.
func (p *prepared) of(db *sql.DB) querier { return preparedOn{db, p} }

// preparedOn is a pool whose queries are prepared.
type preparedOn struct {
	*sql.DB
	p *prepared
}

func (on preparedOn) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	p := on.p
	p.mu.RLock()
	if p.stmt == nil || p.db != on.DB || p.query != query {
		p.mu.RUnlock()
		if err := p.prepare(ctx, on.DB, query); err != nil {
			return nil, err
		}
		return on.DB.QueryContext(ctx, query, args...)
	}
	defer p.mu.RUnlock()
	return p.stmt.QueryContext(ctx, args...)
}

// prepare keeps a query for the calls that follow. Rows of the one before it can
// be read to their end.
func (p *prepared) prepare(ctx context.Context, db *sql.DB, query string) error {
	stmt, err := db.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stmt != nil {
		_ = p.stmt.Close() // its pool may be closed
	}
	p.db, p.query, p.stmt = db, query, stmt
	return nil
}
