package db

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
)

// getDatabaseType handles get-database-type.
func (t *Tools) getDatabaseType(ctx context.Context, call tools.Call) tools.Reply {
	var connection string
	if err := decode(call.Arguments, argument{name: "connection", into: &connection}); err != nil {
		return fail(err)
	}
	kind, version, cfg, err := t.databaseType(ctx, connection)
	if err != nil {
		return fail(err)
	}
	return reply(kind, fmt.Sprintf("%s; connection %s, %s", version, replytext.Quote(cfg.Name), t.where(cfg)))
}

// where says in a sentence's middle where a connection's database is.
func (t *Tools) where(cfg pool.Config) string {
	server, database := t.conns.Place(cfg)
	if cfg.IsSQLite() {
		return "file " + replytext.Shown(database)
	}
	return fmt.Sprintf("database %s on %s", replytext.Quote(database), replytext.Shown(server))
}

func (t *Tools) databaseType(ctx context.Context, connection string) (kind, version string, cfg pool.Config, err error) {
	cfg, d, err := t.conns.Open(ctx, connection)
	if err != nil {
		return "", "", cfg, err
	}
	err = t.conns.ReadCatalogue(ctx, cfg, d, func(ctx context.Context) error {
		v, err := d.Version(ctx)
		if err == nil {
			version = v
		}
		return err
	})
	if err != nil {
		return "", "", cfg, cfg.Annotate(err)
	}
	return d.Kind(), version, cfg, nil
}
