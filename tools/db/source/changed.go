package source

import (
	"context"
	"database/sql"
	"errors"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/pool"
)

// Mark returns a text that is another one once the schema has changed, at a
// small part of what [Source.Read] costs. See [engine.Engine].
func (s *Source) Mark(ctx context.Context) (mark string, err error) {
	if s.config.Design {
		return pool.DesignServer, nil // there is nothing that could change
	}
	c := s.all.connections
	d, err := c.Database(s.config)
	if err != nil {
		return "", err
	}
	found := make(chan string, 1) // work that is given up may end later
	err = c.ReadCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		mark, err := d.Mark(ctx)
		found <- mark
		return err
	})
	if err != nil {
		return "", s.config.Explain(err)
	}
	return <-found, nil
}

// Rights reads who owns what and who may use it. The error is
// [errors.ErrUnsupported] where the dialect is not asked.
func (s *Source) Rights(ctx context.Context) (rights designer.Rights, err error) {
	owned, is := s.engine().(engine.RightsReader)
	if !is || s.config.Design {
		return rights, errors.ErrUnsupported
	}
	return readBeside(ctx, s, owned.Rights)
}

// Statistics reads what the server counted of the use of tables. The error is
// [errors.ErrUnsupported] where it counts nothing that is asked.
func (s *Source) Statistics(ctx context.Context) (counted designer.Statistics, err error) {
	counting, is := s.engine().(engine.StatisticsReader)
	if !is || s.config.Design {
		return counted, errors.ErrUnsupported
	}
	return readBeside(ctx, s, counting.Statistics)
}

// readBeside reads something of a database's catalogue that is no part of its
// design.
func readBeside[T any](ctx context.Context, s *Source, read func(context.Context, *sql.DB) (T, error)) (out T, err error) {
	c := s.all.connections
	d, err := c.Database(s.config)
	if err != nil {
		return out, err
	}
	writer, err := d.Writer() // which reads as well, in a transaction that cannot write
	if err != nil {
		return out, s.config.Explain(err)
	}
	found := make(chan T, 1) // as above
	err = c.ReadCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		v, err := read(ctx, writer)
		found <- v
		return err
	})
	if err != nil {
		return out, s.config.Explain(err)
	}
	return <-found, nil
}
