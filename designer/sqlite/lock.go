package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// BusyTimeout bounds how long publishing waits for other writers, each time it
// meets one. The write transaction is the lock of a publish: a file has no other.
const BusyTimeout = 5 * time.Second

// whoHas says how to find the process that has a database in use: a file's locks
// have no names.
func whoHas(ctx context.Context, conn *sql.Conn, err error) string {
	var refused *sqlite.Error
	var path string
	if !errors.As(err, &refused) || refused.Code()&0xff != sqlite3.SQLITE_BUSY ||
		conn.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path) != nil || path == "" {
		return ""
	}
	return fmt.Sprintf(" (fuser %[1]q or lsof %[1]q shows which process has it)", path)
}

// explain returns what to do about a database in use.
func explain(err error) error {
	var refused *sqlite.Error
	if errors.As(err, &refused) && refused.Code()&0xff == sqlite3.SQLITE_BUSY {
		return fmt.Errorf("another connection uses the database and did not let go for %s: publish again when it has finished: %w", BusyTimeout, err)
	}
	return err
}
