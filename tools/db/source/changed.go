package source

import (
	"context"
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
	c := s.all.connections
	d, err := c.Database(s.config)
	if err != nil {
		return rights, err
	}
	writer, err := d.Writer() // which reads as well, in a transaction that cannot write
	if err != nil {
		return rights, s.config.Explain(err)
	}
	found := make(chan designer.Rights, 1) // as above
	err = c.ReadCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		rights, err := owned.Rights(ctx, writer)
		found <- rights
		return err
	})
	if err != nil {
		return rights, s.config.Explain(err)
	}
	return <-found, nil
}
