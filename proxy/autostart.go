package proxy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"
)

// starter starts each project once, however many calls ask for it at the same
// time.
type starter struct{ group singleflight.Group }

// autostartError reports why starting a project failed.
type autostartError struct{ cause error }

func (e *autostartError) Error() string { return e.cause.Error() }

// Unwrap makes it an [ErrNotRunning] too.
func (e *autostartError) Unwrap() []error { return []error{ErrNotRunning, e.cause} }

// autostart starts the instance of root and waits until it answers. The start
// continues if the call that asked for it is canceled, because other calls may
// wait for it; AutostartTimeout bounds it.
func (c *Client) autostart(ctx context.Context, root string) error {
	started := c.starter.group.DoChan(root, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.opts.AutostartTimeout)
		defer cancel()
		if err := c.opts.Autostart(ctx, root); err != nil {
			return nil, &autostartError{err}
		}
		return nil, c.awaitReady(ctx, root)
	})
	select {
	case result := <-started:
		return result.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readyPause is the time between two checks of an instance that is starting. A
// start takes tens of milliseconds, a check a fraction of one.
const readyPause = 3 * time.Millisecond

func (c *Client) awaitReady(ctx context.Context, root string) error {
	tick := time.NewTicker(readyPause)
	defer tick.Stop()
	for {
		err := c.ready(ctx, root)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			if errors.Is(err, context.DeadlineExceeded) {
				err = ErrNotRunning
			}
			return &autostartError{fmt.Errorf("not ready after %v: %w", c.opts.AutostartTimeout, err)}
		}
	}
}

func (c *Client) ready(ctx context.Context, root string) error {
	p, err := c.find(root)
	if err != nil {
		return err
	}
	conn, _, err := dialProven(ctx, p.inst, c.opts.ConnectTimeout, c.opts.ProofTimeout)
	if err != nil {
		return err
	}
	return conn.Close()
}
