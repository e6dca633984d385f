package pool

import (
	"context"
	"database/sql"

	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/tools/db/driver"
)

// Write runs fn with the engine and the pool that may change a connection's
// database, and returns when it has: whether a change was made must be known.
// Close ends its context and waits for it.
func (c *Connections) Write(ctx context.Context, cfg Config, fn func(context.Context, engine.Engine, *sql.DB) error) error {
	d, err := c.Database(cfg)
	if err != nil {
		return err
	}
	pool, err := d.Writer()
	if err != nil {
		return cfg.Explain(err)
	}
	ctx, done, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	return cfg.Explain(causeOf(ctx, c.contained(func(ctx context.Context) error {
		return fn(ctx, d.Engine(), pool)
	})(ctx)))
}

// Begin counts a call in, so that Close waits for it, and gives it a context
// that Close ends; done counts it out.
func (c *Connections) Begin(ctx context.Context) (_ context.Context, done func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, driver.ErrClosed
	}
	c.inFlight.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.closing, func() { cancel(driver.ErrClosed) })
	return ctx, func() { stop(); cancel(nil); c.inFlight.Done() }, nil
}
