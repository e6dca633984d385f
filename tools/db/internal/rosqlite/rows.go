package rosqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"time"

	"github.com/berth-dev/berth/designer/sqltext"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrNotRead is for a statement that SQLite itself does not call read-only.
var ErrNotRead = errors.New("the statement does more than read")

// ErrSeveral is for more than one statement, ErrNone for none.
var (
	ErrSeveral = errors.New("more than one statement")
	ErrNone    = errors.New("no statement")
)

// rows is a running statement.
type rows struct {
	c         *conn
	ctx       context.Context // of the query: stepping is part of it
	statement uintptr
	names     []string
	types     []string
	unwatch   func()
}

var _ driver.RowsColumnTypeDatabaseTypeName = (*rows)(nil)

// QueryContext implements [driver.QueryerContext]. It takes no arguments. The
// statement is interrupted when ctx ends, in whatever step it is.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) > 0 {
		return nil, errors.New("rosqlite takes no arguments")
	}
	r, err := c.query(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (c *conn) query(ctx context.Context, query string, values []any) (*rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.turn.begin(ctx)
	r := &rows{c: c, ctx: ctx, unwatch: c.watch(ctx)}
	err := r.prepare(query)
	if err == nil {
		err = r.bind(values)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// watch interrupts whatever runs on c from the end of ctx until the returned
// function is called. It does so again and again: SQLite forgets an interrupt
// that comes just before a step.
func (c *conn) watch(ctx context.Context) func() {
	done, ended := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		again := time.NewTicker(5 * time.Millisecond)
		defer again.Stop()
		for {
			c.interrupt()
			select {
			case <-done:
				return
			case <-again.C:
			}
		}
	})
	return func() {
		if stop() {
			return
		}
		c.broken = true
		close(done)
		<-ended
	}
}

func (r *rows) prepare(query string) error {
	c := r.c
	text, err := libc.CString(query)
	if err != nil {
		return errNoMemory
	}
	defer libc.Xfree(c.tls, text)
	statement, err := newCell(c.tls)
	if err != nil {
		return err
	}
	defer statement.free()
	tail, err := newCell(c.tls)
	if err != nil {
		return err
	}
	defer tail.free()
	rc := sqlite3.Xsqlite3_prepare_v2(c.tls, c.db, text, -1, statement.at, tail.at)
	c.turn.pause()
	if rc != sqlite3.SQLITE_OK {
		return errorOf(c.tls, c.db, rc)
	}
	r.statement = statement.pointer()
	for _, t := range sqltext.SQLite().Significant(query[tail.pointer()-text:]) {
		if !t.Is(";") {
			return ErrSeveral
		}
	}
	if r.statement == 0 {
		return ErrNone
	}
	if sqlite3.Xsqlite3_stmt_readonly(c.tls, r.statement) == 0 {
		return ErrNotRead
	}
	n := int(sqlite3.Xsqlite3_column_count(c.tls, r.statement))
	r.names, r.types = make([]string, n), make([]string, n)
	for i := range n {
		r.names[i] = libc.GoString(sqlite3.Xsqlite3_column_name(c.tls, r.statement, int32(i)))
		r.types[i] = libc.GoString(sqlite3.Xsqlite3_column_decltype(c.tls, r.statement, int32(i)))
	}
	return nil
}

// Columns implements [driver.Rows].
func (r *rows) Columns() []string { return r.names }

// ColumnTypeDatabaseTypeName returns the declared type as it is written; "":
// an expression, or a column without type.
func (r *rows) ColumnTypeDatabaseTypeName(i int) string { return r.types[i] }

// Next implements [driver.Rows]. Values are int64, float64, string, []byte
// and nil, as SQLite stores them.
func (r *rows) Next(dest []driver.Value) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	c := r.c
	rc := sqlite3.Xsqlite3_step(c.tls, r.statement)
	c.turn.pause()
	switch rc {
	case sqlite3.SQLITE_ROW:
		for i := range dest {
			dest[i] = r.value(int32(i))
		}
		return nil
	case sqlite3.SQLITE_DONE:
		if c.access.changed() {
			return ErrChanged
		}
		return io.EOF
	default:
		if err := r.ctx.Err(); err != nil {
			return err
		}
		return errorOf(c.tls, c.db, rc)
	}
}

func (r *rows) value(i int32) driver.Value {
	c := r.c
	switch sqlite3.Xsqlite3_column_type(c.tls, r.statement, i) {
	case sqlite3.SQLITE_INTEGER:
		return sqlite3.Xsqlite3_column_int64(c.tls, r.statement, i)
	case sqlite3.SQLITE_FLOAT:
		return sqlite3.Xsqlite3_column_double(c.tls, r.statement, i)
	case sqlite3.SQLITE_TEXT:
		p := sqlite3.Xsqlite3_column_text(c.tls, r.statement, i)
		return string(r.bytes(p, i))
	case sqlite3.SQLITE_BLOB:
		p := sqlite3.Xsqlite3_column_blob(c.tls, r.statement, i)
		return append([]byte{}, r.bytes(p, i)...)
	}
	return nil
}

// bytes views the memory of the current value; it is SQLite's and gone with
// the next step.
func (r *rows) bytes(p uintptr, i int32) []byte {
	n := sqlite3.Xsqlite3_column_bytes(r.c.tls, r.statement, i)
	if p == 0 || n == 0 {
		return nil
	}
	return libc.GoBytes(p, int(n))
}

// Close implements [driver.Rows].
func (r *rows) Close() error {
	if r.statement != 0 {
		// The error is that of the last step, which has been told.
		_ = sqlite3.Xsqlite3_finalize(r.c.tls, r.statement)
		r.c.turn.pause()
		r.statement = 0
	}
	if r.unwatch != nil {
		r.unwatch()
		r.unwatch = nil
	}
	return nil
}
