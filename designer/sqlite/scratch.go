package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/berth-dev/berth/designer/engine"
)

// memoryPages bounds a database in memory, in pages of 4 KiB: 256 MiB.
const memoryPages = 65536

// memory is an empty database of its own, gone when closed. Nothing that runs
// in it reaches a file: without attached databases there is neither ATTACH nor
// VACUUM INTO.
type memory struct {
	*sql.Conn
	db *sql.DB
}

func openMemory(ctx context.Context) (*memory, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open database in memory: %w", err)
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database in memory: %w", err), db.Close())
	}
	m := &memory{conn, db}
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_ATTACHED, 0); err != nil {
		return nil, errors.Join(fmt.Errorf("confine database in memory: %w", err), m.Close())
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA temp_store = MEMORY; PRAGMA max_page_count = %d", memoryPages))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("confine database in memory: %w", err), m.Close())
	}
	return m, nil
}

// Close forgets the database.
func (m *memory) Close() error { return errors.Join(m.Conn.Close(), m.db.Close()) }

// CopyPrefix begins the name of the folder of a copy.
const CopyPrefix = "berth-verify-"

// copyFolder makes a folder of mode 0700, in the place for copies where the
// caller named one.
func copyFolder(ctx context.Context) (string, error) {
	place := engine.Copies(ctx)
	if place != "" {
		if err := os.MkdirAll(place, 0o700); err != nil {
			return "", err
		}
	}
	return os.MkdirTemp(place, CopyPrefix)
}

// Scratches implements [engine.Engine]: there are none, see [CopyPrefix].
func (Engine) Scratches(context.Context, *sql.DB) ([]string, error) { return nil, nil }

// DropScratch implements [engine.Engine].
func (Engine) DropScratch(context.Context, *sql.DB, string) error { return nil }
