package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
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
