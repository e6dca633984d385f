package db

import (
	"context"
	"database/sql"
	"errors"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
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

// reader returns the pool that catalogues are read through.
func (d serverDatabase) reader() *sql.DB { return d.pool }

func (d *sqliteDatabase) mark(ctx context.Context) (mark string, err error) {
	err = d.with(ctx, func(conn *sql.Conn) error {
		mark, err = sqlite.Mark(ctx, conn)
		return err
	})
	return mark, err
}

// Rights reads who owns what and who may use it. The error is
// [errors.ErrUnsupported] where the dialect is not asked.
func (s *Source) Rights(ctx context.Context) (rights designer.Rights, err error) {
	owned, is := s.engine().(engine.Owned)
	if !is {
		return rights, errors.ErrUnsupported
	}
	c := s.connections
	d, err := c.database(s.config)
	if err != nil {
		return rights, err
	}
	server, is := d.database.(interface{ reader() *sql.DB })
	if !is {
		return rights, errors.ErrUnsupported
	}
	found := make(chan designer.Rights, 1) // work that is given up may end later
	err = c.readCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		rights, err := owned.Rights(ctx, server.reader())
		found <- rights
		return err
	})
	if err != nil {
		return rights, worded(s.config, err)
	}
	return <-found, nil
}
