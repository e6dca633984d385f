package db

import (
	"context"
	"database/sql"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// database is one opened database; what differs between dialects is behind
// it. Its methods may be called at once. An error of opening is a
// [ConnectError].
type database interface {
	// kind is the documents' identifier of the dialect.
	kind() string
	// version names the server and its version, for people.
	version(ctx context.Context) (string, error)
	// objects lists tables and views by name, the dialect's own left out.
	objects(ctx context.Context) ([]object, error)
	// createText returns the statements that make a table or view with its
	// indexes. An unknown name is errUnknownTable.
	createText(ctx context.Context, name string) (string, error)
	// check admits a query that is one statement that reads; otherwise it
	// returns a [readonly.Refusal]. designerOpen: a design is open to which changes of
	// the schema can be pointed.
	check(query string, designerOpen bool) *readonly.Refusal
	// query runs a query that check admitted and gives its rows to into.
	query(ctx context.Context, query string, into sink) error
	// privileges tells what the login may do beyond reading.
	privileges(ctx context.Context) (Privileges, error)
	// execute runs a statement that checkExecute admitted, in a session of its
	// own, and gives its rows, where it has any, to into. affected is -1 where
	// the server does not count. Every row is made, whatever into takes.
	execute(ctx context.Context, statement string, into sink) (affected int64, err error)
	// dialect and definition serve the designer.
	dialect() *designer.Dialect
	definition(ctx context.Context) (designer.Definition, error)
	// mark is another one once the schema has changed; see [engine.Engine].
	mark(ctx context.Context) (string, error)
	// engine plans and publishes designs, through the pool that writer
	// returns. The pool is the database's own and closed with it.
	engine() engine.Engine
	writer() (*sql.DB, error)
	close() error
}

// object is a table or a view.
type object struct {
	name string
	view bool
}

// sink takes the rows of a query.
type sink interface {
	// columns comes once, before the first row; types are as declared and
	// may be empty.
	columns(names, types []string) error
	// row takes one row of int64, float64, bool, string, []byte and nil,
	// which are the caller's again when it returns. It returns false to have
	// no more of them.
	row(values []any) (more bool, err error)
}

// grace is how long a call waits for its database after its context ended.
// Then it answers, and the work is left to end by itself: SQLite does not
// look at an interruption within one step, however long that takes.
const grace = 50 * time.Millisecond

// await runs work in a goroutine of its own. When ctx ends, work has a grace
// to return; afterwards await returns the cause without it, and whatever work
// writes to must not be looked at. Close ends ctx too.
func (c *Connections) await(ctx context.Context, limit time.Duration, work func(ctx context.Context) error) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errClosed
	}
	c.inFlight.Add(1)
	c.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	ctx, stop := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	ended := make(chan error, 1)
	go func() {
		defer c.inFlight.Done()
		defer stop()
		defer cancel(nil)
		ended <- causeOf(ctx, c.contained(work)(ctx))
	}()
	select {
	case err := <-ended:
		return err
	case <-c.closing:
		cancel(errClosed)
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
		return context.Cause(ctx)
	}
}

// causeOf prefers the reason for which ctx ended to how the work noticed it.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
