package db

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
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
	return reply(kind, fmt.Sprintf("%s; connection %s, %s", version, replytext.Quote(cfg.Name), c.where(cfg)))
}

// where says in a sentence's middle where a connection's database is.
func (c *Connections) where(cfg Config) string {
	server, database := c.place(cfg)
	if cfg.isSQLite() {
		return "file " + replytext.Shown(database)
	}
	return fmt.Sprintf("database %s on %s", replytext.Quote(database), replytext.Shown(server))
}

func (c *Connections) databaseType(ctx context.Context, connection string) (kind, version string, cfg Config, err error) {
	cfg, d, err := c.pickDatabase(ctx, connection)
	if err != nil {
		return "", "", cfg, err
	}
	err = c.readCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		v, err := d.Version(ctx)
		if err == nil {
			version = v
		}
		return err
	})
	if err != nil {
		return "", "", cfg, named(cfg, err)
	}
	return d.Kind(), version, cfg, nil
}
