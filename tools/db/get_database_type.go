package db

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/tools"
)

// getDatabaseType handles get-database-type.
func (c *Connections) getDatabaseType(ctx context.Context, call tools.Call) tools.Reply {
	var connection string
	if err := decode(call.Arguments, argument{name: "connection", into: &connection}); err != nil {
		return fail(err)
	}
	kind, version, cfg, err := c.databaseType(ctx, connection)
	if err != nil {
		return fail(err)
	}
	return reply(kind, fmt.Sprintf("%s; connection %s, file %s", version, quote(cfg.Name), shown(c.shownPath(cfg))))
}

func (c *Connections) databaseType(ctx context.Context, connection string) (kind, version string, cfg Config, err error) {
	cfg, d, err := c.pickDatabase(ctx, connection)
	if err != nil {
		return "", "", cfg, err
	}
	err = c.await(ctx, c.timeout(cfg), func(ctx context.Context) error {
		v, err := d.version(ctx)
		if err == nil {
			version = v
		}
		return err
	})
	if err != nil {
		return "", "", cfg, named(cfg, err)
	}
	return d.kind(), version, cfg, nil
}
