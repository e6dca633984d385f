package driver

import (
	"context"

	"github.com/berth-dev/berth/tools/db/rowset"
)

// Execute is that of every server; but a statement that is ended has to be
// ended on the server too, where it would otherwise run on to be rolled back.
func (d *mysqlDatabase) Execute(ctx context.Context, statement string, into rowset.Sink) (int64, error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return -1, err
	}
	defer forget(conn)
	var id string
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return -1, err
	}
	affected, err := d.executeOn(ctx, conn, statement, into)
	if err != nil && ctx.Err() != nil {
		d.kill(id)
	}
	return affected, err
}
