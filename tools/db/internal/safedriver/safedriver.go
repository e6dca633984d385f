// Package safedriver turns the panics of a database driver into errors.
//
// A server that answers what its protocol does not allow makes drivers index
// beyond what they read. Recovering above [database/sql] is not enough: a
// panic that passes through it leaves the connection's locks held, so that
// closing it waits for ever, and database/sql calls drivers from goroutines of
// its own, where nobody can recover. So every call into the driver recovers
// here. Its error is a [*PanicError], and the connection is not used again.
//
// Start with [Connector].
package safedriver

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// PanicError is the error of a call in which a driver panicked.
type PanicError struct {
	Value any    // that the driver panicked with
	Stack string // where
}

func (e *PanicError) Error() string { return fmt.Sprintf("the driver panicked: %v", e.Value) }

// IsPanic reports whether err is, or wraps, a [*PanicError].
func IsPanic(err error) bool {
	var p *PanicError
	return errors.As(err, &p)
}

// Recovered turns a panic of the function that defers it into its error.
func Recovered(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{v, string(debug.Stack())}
	}
}

// Connector makes connections whose calls do not panic.
type Connector struct{ driver.Connector }

// Connect implements [driver.Connector].
func (c Connector) Connect(ctx context.Context) (_ driver.Conn, err error) {
	defer Recovered(&err)
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &Conn{inner: inner}, nil
}

// Conn is a connection whose calls do not panic. It has every optional method
// of a connection; those that the driver has not do what [database/sql] would
// do without them.
type Conn struct {
	inner  driver.Conn
	broken atomic.Bool // by a panic
	closed atomic.Bool
}

// Unwrap returns the driver's connection.
func (c *Conn) Unwrap() driver.Conn { return c.inner }

// recovered is [Recovered], and gives the connection up.
func (c *Conn) recovered(err *error) {
	if v := recover(); v != nil {
		c.broken.Store(true)
		*err = &PanicError{v, string(debug.Stack())}
	}
}

// Prepare implements [driver.Conn].
func (c *Conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext implements [driver.ConnPrepareContext].
func (c *Conn) PrepareContext(ctx context.Context, query string) (_ driver.Stmt, err error) {
	defer c.recovered(&err)
	var inner driver.Stmt
	if p, ok := c.inner.(driver.ConnPrepareContext); ok {
		inner, err = p.PrepareContext(ctx, query)
	} else {
		inner, err = c.inner.Prepare(query)
	}
	if err != nil {
		return nil, err
	}
	return &stmt{inner, c}, nil
}

// Close implements [driver.Conn]. A second one does nothing: SQL Server's driver
// would hand the connection's buffer on twice, to two connections at once.
func (c *Conn) Close() (err error) {
	if c.closed.Swap(true) {
		return nil
	}
	defer c.recovered(&err)
	return c.inner.Close()
}

// Begin implements [driver.Conn].
func (c *Conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx implements [driver.ConnBeginTx].
func (c *Conn) BeginTx(ctx context.Context, opts driver.TxOptions) (_ driver.Tx, err error) {
	defer c.recovered(&err)
	b, ok := c.inner.(driver.ConnBeginTx)
	if !ok {
		return nil, fmt.Errorf("a connection of type %T begins no transactions", c.inner)
	}
	inner, err := b.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &tx{inner, c}, nil
}

// ExecContext implements [driver.ExecerContext].
func (c *Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (_ driver.Result, err error) {
	defer c.recovered(&err)
	if e, ok := c.inner.(driver.ExecerContext); ok {
		return e.ExecContext(ctx, query, args)
	}
	return nil, driver.ErrSkip
}

// QueryContext implements [driver.QueryerContext].
func (c *Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (_ driver.Rows, err error) {
	defer c.recovered(&err)
	q, ok := c.inner.(driver.QueryerContext)
	if !ok {
		return nil, driver.ErrSkip
	}
	inner, err := q.QueryContext(ctx, query, args)
	return newRows(inner, c, err)
}

// Ping implements [driver.Pinger].
func (c *Conn) Ping(ctx context.Context) (err error) {
	defer c.recovered(&err)
	if p, ok := c.inner.(driver.Pinger); ok {
		return p.Ping(ctx)
	}
	return nil
}

// ResetSession implements [driver.SessionResetter].
func (c *Conn) ResetSession(ctx context.Context) (err error) {
	defer c.recovered(&err)
	if c.broken.Load() {
		return driver.ErrBadConn
	}
	if r, ok := c.inner.(driver.SessionResetter); ok {
		return r.ResetSession(ctx)
	}
	return nil
}

// IsValid implements [driver.Validator].
func (c *Conn) IsValid() bool {
	if c.broken.Load() {
		return false
	}
	v, ok := c.inner.(driver.Validator)
	return !ok || v.IsValid()
}

// CheckNamedValue implements [driver.NamedValueChecker].
func (c *Conn) CheckNamedValue(v *driver.NamedValue) error {
	if n, ok := c.inner.(driver.NamedValueChecker); ok {
		return n.CheckNamedValue(v)
	}
	return driver.ErrSkip
}
