package driver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	driversqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Bound is a statement of berth's own, which writes one row, with the values
// of its placeholders: int64, uint64, float64, string and []byte.
type Bound struct {
	Text   string
	Values []any
}

// RowError reports the statement of [Database.WriteRows] that did not change
// exactly one row.
type RowError struct {
	Index int   // of the statement
	Rows  int64 // that it changed; 0 where it failed
	Err   error // with which it failed; nil: it did not
}

func (e *RowError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return fmt.Sprintf("a statement for one row changed %d; nothing was changed", e.Rows)
}

func (e *RowError) Unwrap() error { return e.Err }

// eachOne runs statements by run and demands of each that it changed one row.
func eachOne(ctx context.Context, statements []Bound, run func(Bound) (int64, error)) error {
	for i, s := range statements {
		n, err := run(s)
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil || n != 1 {
			return &RowError{Index: i, Rows: n, Err: err}
		}
	}
	return nil
}

// writeRows runs statements in a transaction on a connection.
func writeRows(ctx context.Context, conn *sql.Conn, statements []Bound) error {
	return inTransaction(ctx, conn, func(q querier) error {
		return eachOne(ctx, statements, func(s Bound) (int64, error) {
			result, err := q.ExecContext(ctx, s.Text, s.Values...)
			if err != nil {
				return 0, err
			}
			return result.RowsAffected()
		})
	})
}

// WriteRows implements [Database]. Like Execute it follows a file that is
// replaced just then.
func (d *sqliteDatabase) WriteRows(ctx context.Context, statements []Bound) error {
	err := d.writeRowsOnce(ctx, statements)
	var e *driversqlite.Error
	if errors.As(err, &e) && e.Code() == sqlite3.SQLITE_READONLY_DBMOVED {
		err = d.writeRowsOnce(ctx, statements)
	}
	return err
}

func (d *sqliteDatabase) writeRowsOnce(ctx context.Context, statements []Bound) error {
	pool, err := d.Writer()
	if err != nil {
		return err
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return connectError(ctx, err)
	}
	defer func() { _ = conn.Close() }() // back to the pool
	return writeRows(ctx, conn, statements)
}

// WriteRows runs the statements in a session of its own, which is closed
// afterwards.
func (d serverDatabase) WriteRows(ctx context.Context, statements []Bound) error {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer forget(conn)
	return writeRows(ctx, conn, statements)
}
