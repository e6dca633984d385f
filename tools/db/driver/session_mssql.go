package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	driverms "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// mssqlSession is one session for one query, on a connection that nobody had
// before and nobody gets after it, in a transaction that is rolled back.
type mssqlSession struct {
	conn  *sql.Conn
	meter *dial.RowMeter
}

// oneConn gives database/sql a connection that is there already.
type oneConn struct{ driver.Conn }

// Connect implements [driver.Connector].
func (c oneConn) Connect(context.Context) (driver.Conn, error) { return c.Conn, nil }

// Driver implements [driver.Connector].
func (oneConn) Driver() driver.Driver { return &driverms.Driver{} }

// guarded runs f in a session of its own.
func (d *mssqlDatabase) guarded(ctx context.Context, f func(*mssqlSession) error) error {
	s := &mssqlSession{meter: dial.NewRowMeter()}
	raw, err := d.connector.Connect(s.meter.NewContext(ctx))
	if err != nil {
		return err
	}
	defer cutAfter(ctx, s.meter.Cut)()
	pool := sql.OpenDB(oneConn{raw})
	defer func() { _ = pool.Close() }() // with its one connection
	if s.conn, err = pool.Conn(ctx); err != nil {
		return err
	}
	if err = s.begin(ctx); err == nil {
		err = f(s)
	}
	if err != nil && s.meter.Exceeded() {
		err = dial.ErrRowTooBig
	}
	s.end(ctx)
	return mssqlLost(err)
}

// cutAfter cuts a connection that is still at work some time after ctx ended: the
// driver then waits for the server to say that it stopped, however long that
// takes. The connection is done with when the function is called.
func cutAfter(ctx context.Context, cut func()) (done func()) {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-ended:
		case <-time.After(2 * cleanWait):
			cut()
		}
	})
	return func() { stop(); close(ended) }
}

// begin sets the session up and opens the transaction.
func (s *mssqlSession) begin(ctx context.Context) error {
	_, err := s.conn.ExecContext(ctx, fmt.Sprintf(`SET NOCOUNT ON; SET XACT_ABORT ON; SET LOCK_TIMEOUT %d; SET QUOTED_IDENTIFIER ON; SET IMPLICIT_TRANSACTIONS OFF;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN TRANSACTION`, lockWait.Milliseconds()))
	return err
}

// end rolls back. Whether it can or not, the connection is closed next.
func (s *mssqlSession) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanWait)
	defer cancel()
	_, _ = s.conn.ExecContext(ctx, "ROLLBACK TRANSACTION")
	_ = s.conn.Close()
}

// Ask implements [readonly.Catalog].
func (s *mssqlSession) Ask(ctx context.Context, questions ...readonly.CatalogQuery) ([][][]string, error) {
	answers := make([][][]string, len(questions))
	for i, q := range questions {
		var err error
		if answers[i], err = s.texts(ctx, q.Columns, q.SQL, q.Args...); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// texts runs one short query of this package's own, whose rows have the given
// number of columns. NULL is "".
func (s *mssqlSession) texts(ctx context.Context, columns int, query string, args ...string) ([][]string, error) {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg
	}
	rows, err := s.conn.QueryContext(ctx, query, values...)
	if err != nil {
		return nil, err
	}
	defer s.meter.Done()
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	if len(names) != columns {
		return nil, dial.BadAnswer("it has %d columns, and %d were asked for", len(names), columns)
	}
	size := 0
	var all [][]string
	for rows.Next() {
		s.meter.Next()
		row, pointers := make([]sql.NullString, columns), make([]any, columns)
		for i := range row {
			pointers[i] = &row[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = v.String
			size += len(v.String) + 16
		}
		if size > dial.MaxRowBytes {
			return nil, dial.ErrAnswerTooBig
		}
		all = append(all, texts)
	}
	return all, rows.Err()
}

// mssqlLost names the loss of a connection for what it is.
func mssqlLost(err error) error {
	var e driverms.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return err
	case dial.IsLost(err):
		return dial.ErrLost
	}
	var stream driverms.StreamError
	if errors.As(err, &stream) {
		return dial.ErrLost
	}
	return err
}

var _ readonly.Catalog = (*mssqlSession)(nil)
