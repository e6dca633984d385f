package pool

import (
	"context"
	"database/sql"
)

// ReadFiles runs work that reads files which are rows, on a pool that only
// reads. Reading and writing files have a lane of their own. It returns when
// work has, so work may keep what it read.
func (c *Connections) ReadFiles(ctx context.Context, cfg Config, work func(context.Context, *sql.DB) error) error {
	d, err := c.Database(cfg)
	if err != nil {
		return err
	}
	place, err := c.Enter(ctx, cfg, d.files, "reading files")
	if err != nil {
		return err
	}
	defer place.Leave()
	ctx, done, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	limit := c.Timeout(cfg)
	ctx, stop := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	defer stop()
	return cfg.Annotate(causeOf(ctx, c.contained(func(ctx context.Context) error {
		db, err := d.Files()
		if err != nil {
			return err
		}
		return work(ctx, db)
	})(ctx)))
}

// WriteFile runs work that writes a file which is a row, and returns when it is
// known what became of it.
func (c *Connections) WriteFile(ctx context.Context, cfg Config, work func(context.Context, *sql.DB) error) error {
	d, err := c.Database(cfg)
	if err != nil {
		return err
	}
	place, err := c.Enter(ctx, cfg, d.files, "writing a file")
	if err != nil {
		return err
	}
	return cfg.Annotate(c.Settle(ctx, c.Timeout(cfg), func(ctx context.Context) error {
		defer place.Leave()
		db, err := d.Writer()
		if err != nil {
			return err
		}
		return work(ctx, db)
	}))
}
