package source

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// IsDesign reports whether there is no database: the connection is a design,
// which is published to another connection.
func (s *Source) IsDesign() bool { return s.config.Design }

// onScratch runs fn where a design without a database can be tried: SQLite
// needs nothing for that, and of the other dialects a server that another
// connection leads to lends a scratch database.
func (s *Source) onScratch(ctx context.Context, fn func(context.Context, engine.Engine, *sql.DB) error) error {
	lender, needed, err := s.all.connections.Lender(ctx, s.config, s.Dialect().Title)
	if err != nil {
		return err
	}
	if needed {
		return (&Source{s.all, lender}).write(ctx, fn)
	}
	ctx, done, err := s.all.connections.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	return fn(ctx, s.engine(), nil)
}

// TriedOn says in words where a design without a database is tried. The error
// is a [*dial.ConnectError] if there is no such place.
func (s *Source) TriedOn(ctx context.Context) (string, error) {
	lender, needed, err := s.all.connections.Lender(ctx, s.config, s.Dialect().Title)
	if err != nil || !needed {
		return "a database in memory", err
	}
	return "a scratch database on the server of connection " + replytext.Quote(lender.Name) + ", which is gone again", nil
}
