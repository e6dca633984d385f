package driver

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/berth-dev/berth/tools/db/dial"
)

// sqliteWriter is the pool that may change a file, or that reads it for the file
// tools. It is a plain one, apart from the guarded connections that read for an
// agent.
type sqliteWriter struct {
	path     string
	readOnly bool                     // the address says so
	name     func(path string) string // of the data source: writable or readable
	places   int

	mu     sync.Mutex
	closed bool
	pool   *sql.DB     // nil: not asked for yet
	file   os.FileInfo // that pool was made for; nil: there was none
}

// open returns the pool. A connection of it to a file that was replaced since
// sees a file that nobody else does, and SQLite refuses to write to it; so such
// a pool is not used again.
func (w *sqliteWriter) open() (*sql.DB, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.readOnly:
		return nil, &dial.ConnectError{Cause: "its address says mode=ro, so it is not written to", Fix: "leave mode=ro out of the connection's url"}
	case w.closed:
		return nil, ErrClosed
	case w.pool != nil && !w.outdated():
		return w.pool, nil
	case w.pool != nil:
		_ = w.pool.Close() // a connection that is at work is closed when it comes back
		w.pool = nil
	}
	w.file, _ = os.Stat(w.path) // SQLite says what is wrong with a file that is not there
	pool, err := sql.Open("sqlite", w.name(w.path))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(w.places)
	pool.SetMaxIdleConns(1)
	pool.SetConnMaxIdleTime(poolIdle)
	w.pool = pool
	return pool, nil
}

// outdated reports whether another file has the place of the one that the pool
// has open, as after a checkout or a restore.
func (w *sqliteWriter) outdated() bool {
	now, err := os.Stat(w.path)
	return err != nil || w.file == nil || !os.SameFile(now, w.file)
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
	return sourceName(path, url.Values{"mode": {"rw"}, "_txlock": {"immediate"},
		"_pragma": {"busy_timeout(5000)", "foreign_keys(ON)", "trusted_schema(OFF)"}})
}

// readable is the data source name of a file that is only read.
func readable(path string) string {
	return sourceName(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)", "query_only(ON)", "trusted_schema(OFF)"}})
}

func sourceName(path string, options url.Values) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}
	return u.String()
}
