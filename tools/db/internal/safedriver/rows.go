package safedriver

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"reflect"
)

// errNoContext says that a driver's statements take no context; all that are
// used here do.
var errNoContext = errors.New("the driver's statements take no context")

type stmt struct {
	inner driver.Stmt
	conn  *Conn
}

// Close implements [driver.Stmt].
func (s *stmt) Close() (err error) {
	defer s.conn.recovered(&err)
	return s.inner.Close()
}

// NumInput implements [driver.Stmt].
func (s *stmt) NumInput() int { return s.inner.NumInput() }

// Exec implements [driver.Stmt].
func (s *stmt) Exec([]driver.Value) (driver.Result, error) { return nil, errNoContext }

// Query implements [driver.Stmt].
func (s *stmt) Query([]driver.Value) (driver.Rows, error) { return nil, errNoContext }

// ExecContext implements [driver.StmtExecContext].
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (_ driver.Result, err error) {
	defer s.conn.recovered(&err)
	if e, ok := s.inner.(driver.StmtExecContext); ok {
		return e.ExecContext(ctx, args)
	}
	return nil, errNoContext
}

// QueryContext implements [driver.StmtQueryContext].
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (_ driver.Rows, err error) {
	defer s.conn.recovered(&err)
	q, ok := s.inner.(driver.StmtQueryContext)
	if !ok {
		return nil, errNoContext
	}
	inner, err := q.QueryContext(ctx, args)
	return newRows(inner, s.conn, err)
}

// CheckNamedValue implements [driver.NamedValueChecker].
func (s *stmt) CheckNamedValue(v *driver.NamedValue) error {
	if n, ok := s.inner.(driver.NamedValueChecker); ok {
		return n.CheckNamedValue(v)
	}
	return s.conn.CheckNamedValue(v)
}

type tx struct {
	inner driver.Tx
	conn  *Conn
}

// Commit implements [driver.Tx].
func (t *tx) Commit() (err error) {
	defer t.conn.recovered(&err)
	return t.inner.Commit()
}

// Rollback implements [driver.Tx].
func (t *tx) Rollback() (err error) {
	defer t.conn.recovered(&err)
	return t.inner.Rollback()
}

type rows struct {
	driver.Rows
	conn *Conn
}

func newRows(inner driver.Rows, c *Conn, err error) (driver.Rows, error) {
	if err != nil {
		return nil, err
	}
	return &rows{inner, c}, nil
}

// Close implements [driver.Rows].
func (r *rows) Close() (err error) {
	defer r.conn.recovered(&err)
	return r.Rows.Close()
}

// Next implements [driver.Rows].
func (r *rows) Next(dest []driver.Value) (err error) {
	defer r.conn.recovered(&err)
	return r.Rows.Next(dest)
}

// HasNextResultSet implements [driver.RowsNextResultSet].
func (r *rows) HasNextResultSet() bool {
	n, ok := r.Rows.(driver.RowsNextResultSet)
	return ok && n.HasNextResultSet()
}

// NextResultSet implements [driver.RowsNextResultSet].
func (r *rows) NextResultSet() (err error) {
	defer r.conn.recovered(&err)
	if n, ok := r.Rows.(driver.RowsNextResultSet); ok {
		return n.NextResultSet()
	}
	return io.EOF
}

// ColumnTypeDatabaseTypeName implements
// [driver.RowsColumnTypeDatabaseTypeName].
func (r *rows) ColumnTypeDatabaseTypeName(i int) string {
	if t, ok := r.Rows.(driver.RowsColumnTypeDatabaseTypeName); ok {
		return t.ColumnTypeDatabaseTypeName(i)
	}
	return ""
}

// ColumnTypeLength implements [driver.RowsColumnTypeLength].
func (r *rows) ColumnTypeLength(i int) (length int64, ok bool) {
	if t, ok := r.Rows.(driver.RowsColumnTypeLength); ok {
		return t.ColumnTypeLength(i)
	}
	return 0, false
}

// ColumnTypeNullable implements [driver.RowsColumnTypeNullable].
func (r *rows) ColumnTypeNullable(i int) (nullable, ok bool) {
	if t, ok := r.Rows.(driver.RowsColumnTypeNullable); ok {
		return t.ColumnTypeNullable(i)
	}
	return false, false
}

// ColumnTypePrecisionScale implements [driver.RowsColumnTypePrecisionScale].
func (r *rows) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	if t, ok := r.Rows.(driver.RowsColumnTypePrecisionScale); ok {
		return t.ColumnTypePrecisionScale(i)
	}
	return 0, 0, false
}

// ColumnTypeScanType implements [driver.RowsColumnTypeScanType].
func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	if t, ok := r.Rows.(driver.RowsColumnTypeScanType); ok {
		return t.ColumnTypeScanType(i)
	}
	return reflect.TypeFor[any]()
}

var (
	_ driver.ConnBeginTx        = (*Conn)(nil)
	_ driver.ConnPrepareContext = (*Conn)(nil)
	_ driver.SessionResetter    = (*Conn)(nil)
	_ driver.Validator          = (*Conn)(nil)
	_ driver.Pinger             = (*Conn)(nil)
	_ driver.RowsNextResultSet  = (*rows)(nil)
)
