package pool

import (
	"context"
	"time"

	"github.com/berth-dev/berth/tools/db/driver"
)

// grace is how long a call waits for its database after its context ended.
// Then it answers, and the work is left to end by itself: SQLite does not
// look at an interruption within one step, however long that takes.
const grace = 50 * time.Millisecond

// await runs work in another goroutine. When ctx ends, work has a grace
// to return; afterwards await returns the cause without it, and whatever work
// writes to must not be looked at. Close ends ctx too.
func (c *Connections) await(ctx context.Context, limit time.Duration, work func(ctx context.Context) error) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return driver.ErrClosed
	}
	c.inFlight.Add(1)
	c.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	ctx, stop := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	ended := make(chan error, 1)
	c.workers.Go(func() {
		defer c.inFlight.Done()
		defer stop()
		defer cancel(nil)
		ended <- causeOf(ctx, c.contained(work)(ctx))
	})
	select {
	case err := <-ended:
		return err
	case <-c.closing.Done():
		cancel(driver.ErrClosed)
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
		return context.Cause(ctx)
	}
}

// causeOf prefers the reason for which ctx ended to how the work noticed it.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
