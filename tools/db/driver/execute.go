package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	driversqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/safedriver"
	"github.com/berth-dev/berth/tools/db/rowset"
)

// Execute runs the statement in a transaction, so that one which is ended in
// the middle leaves nothing, and has SQLite count its changes.
// A file that is replaced just then is not written to: the new one is, with
// nothing lost, since nothing was done before.
func (d *sqliteDatabase) Execute(ctx context.Context, statement string, into rowset.Sink) (int64, error) {
	changes, err := d.executeOnce(ctx, statement, into)
	var e *driversqlite.Error
	if errors.As(err, &e) && e.Code() == sqlite3.SQLITE_READONLY_DBMOVED {
		changes, err = d.executeOnce(ctx, statement, into)
	}
	return changes, err
}

func (d *sqliteDatabase) executeOnce(ctx context.Context, statement string, into rowset.Sink) (int64, error) {
	pool, err := d.Writer()
	if err != nil {
		return -1, err
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return -1, connectError(ctx, err)
	}
	defer func() { _ = conn.Close() }() // back to the pool
	var changes, total int64            // of the last statement that changed rows; since the connection was opened
	count := func(q querier) error {
		return q.QueryRowContext(ctx, "SELECT changes(), total_changes()").Scan(&changes, &total)
	}
	if err := count(conn); err != nil {
		return -1, err
	}
	before := total
	run := func(q querier) error {
		rows, err := q.QueryContext(ctx, statement)
		if err != nil {
			return err
		}
		return errors.Join(pourAll(dial.SQLite, rows, into), count(q))
	}
	if BeginsWith(dial.SQLite, statement, "VACUUM") {
		err = run(conn)
	} else {
		err = inTransaction(ctx, conn, run)
	}
	if total == before {
		changes = 0
	}
	return changes, err
}

// querier is a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// commitWait bounds the end of a transaction.
const commitWait = 10 * time.Second

// inTransaction runs work, and commits what it did unless it failed or ctx
// ended. An error that is not ErrUncertain means that nothing was changed.
func inTransaction(ctx context.Context, conn *sql.Conn, work func(querier) error) error {
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil) // whose end is decided here
	if err != nil {
		return err
	}
	err = work(tx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return errors.Join(err, rolledBack(tx))
	}
	ended := make(chan error, 1)
	go func() { ended <- tx.Commit() }()
	select {
	case err = <-ended:
	case <-time.After(commitWait):
		return ErrUncertain
	}
	if err != nil && (dial.IsLost(err) || safedriver.IsPanic(err)) {
		return uncertain()
	}
	return err
}

// rolledBack ends a transaction. One that is over already, or whose
// connection is gone, has left nothing.
func rolledBack(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) && !errors.Is(err, driver.ErrBadConn) && !dial.IsLost(err) {
		return err
	}
	return nil
}

// Execute runs a statement in a session of its own, which is closed
// afterwards with whatever the statement left in it.
func (d serverDatabase) Execute(ctx context.Context, statement string, into rowset.Sink) (int64, error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return -1, err
	}
	defer forget(conn)
	return d.executeOn(ctx, conn, statement, into)
}

func (d serverDatabase) executeOn(ctx context.Context, conn *sql.Conn, statement string, into rowset.Sink) (affected int64, err error) {
	dialect := d.designs.Dialect().Name
	run := func(q querier) (err error) {
		affected, err = runStatement(ctx, q, dialect, statement, into)
		return err
	}
	if committing(dialect, statement) {
		if err = run(conn); err != nil && (ctx.Err() != nil || dial.IsLost(err)) {
			err = uncertain()
		}
		return affected, err
	}
	return affected, inTransaction(ctx, conn, run)
}

// forget has the pool throw a connection away.
func forget(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // which is what it returns
	_ = conn.Close()
}

func runStatement(ctx context.Context, q querier, dialect, statement string, into rowset.Sink) (int64, error) {
	if !givesRows(dialect, statement) {
		result, err := q.ExecContext(ctx, statement)
		if err != nil {
			return -1, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return -1, nil // the server does not count
		}
		return n, nil
	}
	result, err := q.QueryContext(ctx, statement)
	if err != nil {
		return -1, err
	}
	return -1, pourAll(dialect, result, into)
}

// committing reports statements that end a transaction by themselves, or
// that a server does not run in one: those stand for themselves.
func committing(dialect, statement string) bool {
	if dialect == dial.MySQL {
		return !BeginsWith(dialect, statement, "INSERT", "UPDATE", "DELETE", "REPLACE", "SELECT", "WITH", "VALUES")
	}
	words := []string{}
	for _, t := range Tokens(dialect, statement) {
		if t.Name != "" && len(words) < 6 {
			words = append(words, strings.ToUpper(t.Name))
		}
	}
	first, second := "", ""
	if len(words) > 1 {
		first, second = words[0], words[1]
	}
	switch {
	case dialect == dial.SQLServer:
		return second == "DATABASE" || second == "FULLTEXT"
	case slices.Contains([]string{"VACUUM", "CALL", "DO", "CLUSTER", "REINDEX"}, first):
		return true
	}
	return slices.Contains([]string{"DATABASE", "TABLESPACE", "SYSTEM", "SUBSCRIPTION"}, second) || slices.Contains(words, "CONCURRENTLY")
}

// givesRows reports whether a statement answers with rows.
func givesRows(dialect, statement string) bool {
	if BeginsWith(dialect, statement, "SELECT", "VALUES", "CALL", "ANALYZE", "OPTIMIZE", "REPAIR", "EXEC", "EXECUTE") {
		return true
	}
	returning, changes := false, false
	for _, t := range Tokens(dialect, statement) {
		returning = returning || t.Is("RETURNING") || t.Is("OUTPUT")
		changes = changes || t.Is("INSERT") || t.Is("UPDATE") || t.Is("DELETE") || t.Is("MERGE")
	}
	return returning || BeginsWith(dialect, statement, "WITH") && !changes
}

// pourAll gives every row to into, and closes rows.
func pourAll(dialect string, rows *sql.Rows, into rowset.Sink) error {
	defer func() { _ = rows.Close() }() // Err has what went wrong
	return pourSet(dialect, rows, into)
}

// pourSet gives the rows of one result set to into.
func pourSet(dialect string, rows *sql.Rows, into rowset.Sink) error {
	columns, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	names, types := make([]string, len(columns)), make([]string, len(columns))
	if len(columns) > 0 {
		for i, c := range columns {
			names[i], types[i] = c.Name(), c.DatabaseTypeName()
		}
		if err := into.Columns(names, types); err != nil {
			return err
		}
	}
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return err
		}
		for i, v := range values {
			values[i] = sinkValue(dialect, types[i], v)
		}
		if _, err := into.Row(values); err != nil {
			return err
		}
	}
	return rows.Err()
}

// sinkValue turns what a driver gives for a column of the type kind into what
// a sink takes.
func sinkValue(dialect, kind string, v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []byte:
		switch {
		case dialect == dial.MySQL:
			return bytesMySQL(kind, v)
		case dialect == dial.SQLServer && !strings.Contains(kind, "BINARY") && kind != "IMAGE" && utf8.Valid(v):
			return string(v) // decimals
		}
	case float32:
		return float64(v)
	case int32:
		return int64(v)
	case int:
		return int64(v)
	}
	return v
}

// ErrUncertain marks an error after which the change may have been made.
var ErrUncertain = errors.New("it is not known whether the change was made")

// uncertain says that a connection broke before the server had answered.
func uncertain() error {
	return fmt.Errorf("the connection to the server was lost, and %w: look into the database", ErrUncertain)
}
