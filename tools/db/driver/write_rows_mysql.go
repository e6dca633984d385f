package driver

import (
	"context"
	"database/sql"
	"fmt"
)

// WriteRows is that of every server, on a connection whose UPDATE counts the
// rows that it finds: a value that is written in another way is the same one to
// the server. Nothing is cut to fit: the session is a strict one, whatever the
// server's others are.
func (d *mysqlDatabase) WriteRows(ctx context.Context, statements []Bound) error {
	pool := sql.OpenDB(d.counting)
	defer func() { _ = pool.Close() }() // with its one connection
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer forget(conn)
	var id string
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return err
	}
	for _, set := range []string{"sql_mode = CONCAT(@@SESSION.sql_mode, ',STRICT_ALL_TABLES')", fmt.Sprintf("innodb_lock_wait_timeout = %d", int(lockWait.Seconds()))} {
		if _, err := conn.ExecContext(ctx, "SET SESSION "+set); err != nil {
			return err
		}
	}
	err = writeRows(ctx, conn, statements)
	if err != nil && ctx.Err() != nil {
		d.kill(id)
	}
	return err
}
