package rosqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
)

// Sink takes the rows of a query: first the columns, then each row as long as
// Row returns true. The values are reused for the next row.
type Sink interface {
	Columns(names, types []string) error
	Row(values []any) (more bool, err error)
}

// Pour runs a query on a pooled connection, which is of a [Connector], and gives
// its rows to into. It is what [sql.Conn.QueryContext] would do, without a
// goroutine that waits for the end of ctx beside the one that interrupts. After
// [ErrChanged], what into has is void. values are those of the query's
// placeholders.
func Pour(ctx context.Context, pooled *sql.Conn, query string, into Sink, values ...any) error {
	return pooled.Raw(func(driverConn any) error {
		c, ok := driverConn.(*conn)
		if !ok {
			return errors.New("not a connection of rosqlite")
		}
		return c.pour(ctx, query, into, values)
	})
}

func (c *conn) pour(ctx context.Context, query string, into Sink, values []any) error {
	r, err := c.query(ctx, query, values)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it never fails
	if err := into.Columns(r.names, r.types); err != nil {
		return err
	}
	row, values := make([]driver.Value, len(r.names)), make([]any, len(r.names))
	for more := true; more; {
		err := r.Next(row)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i, v := range row {
			values[i] = v
		}
		if more, err = into.Row(values); err != nil {
			return err
		}
	}
	if c.access.changed() {
		return ErrChanged
	}
	return nil
}
