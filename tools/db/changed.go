package db

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer/sqlite"
)

// Mark returns a text that is another one once the schema has changed, at a
// small part of what [Source.Read] costs. See [engine.Engine].
func (s *Source) Mark(ctx context.Context) (mark string, err error) {
	c := s.connections
	d, err := c.database(s.config)
	if err != nil {
		return "", err
	}
	found := make(chan string, 1) // work that is given up may end later
	err = c.readCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		mark, err := d.mark(ctx)
		found <- mark
		return err
	})
	if err != nil {
		return "", worded(s.config, err)
	}
	return <-found, nil
}

func (d serverDatabase) mark(ctx context.Context) (string, error) {
	return d.designs.Mark(ctx, d.pool)
}

func (d *sqliteDatabase) mark(ctx context.Context) (mark string, err error) {
	err = d.with(ctx, func(conn *sql.Conn) error {
		mark, err = sqlite.Mark(ctx, conn)
		return err
	})
	return mark, err
}
