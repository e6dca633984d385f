package db

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// sqliteWriter is the pool that may change a file. It is a plain one, apart
// from the guarded connections that read for an agent.
type sqliteWriter struct {
	path     string
	readOnly bool // the address says so

	mu     sync.Mutex
	closed bool
	pool   *sql.DB // nil: not asked for yet
}

// open does no I/O.
func (w *sqliteWriter) open() (*sql.DB, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.readOnly:
		return nil, &ConnectError{Cause: "its address says mode=ro, so it is not written to", Fix: "leave mode=ro out of the connection's url"}
	case w.closed:
		return nil, errClosed
	case w.pool != nil:
		return w.pool, nil
	}
	pool, err := sql.Open("sqlite", writable(w.path))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(2)
	pool.SetMaxIdleConns(1)
	pool.SetConnMaxIdleTime(poolIdle)
	w.pool = pool
	return pool, nil
}

func (w *sqliteWriter) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.pool == nil {
		return nil
	}
	return w.pool.Close()
}

// writable is the data source name of a file that exists and may be written.
// A transaction takes the lock at its beginning: one that asks for it later
// can fail half way.
func writable(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: url.Values{
		"mode": {"rw"}, "_txlock": {"immediate"},
		"_pragma": {"busy_timeout(5000)", "foreign_keys(ON)", "trusted_schema(OFF)"},
	}.Encode()}
	return u.String()
}
