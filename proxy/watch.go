package proxy

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// patience is how many times longer than a new connection an instance may
// take for the proof when a call is already in progress.
const patience = 4

// silence watches one call. Connections are proven when they are made, and a
// process that stops later leaves them open: without a look from time to
// time, its calls would hang until they time out.
type silence struct {
	last atomic.Int64 // when the call was last heard of, in Unix nanoseconds
	stop func()
}

// heard notes a sign of life.
func (s *silence) heard() { s.last.Store(time.Now().UnixNano()) }

// watch returns a context for a call to p that ends when the call has been
// silent and p fails two proofs in a row; its cause wraps the failure. stop
// ends the watch and must be called.
func (c *Client) watch(ctx context.Context, p *peer) (context.Context, *silence) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &silence{}
	s.heard()
	done := make(chan struct{})
	// A timer and not a goroutine: almost every call ends before it fires.
	timer := time.AfterFunc(c.opts.SilenceCheck, func() {
		defer close(done)
		c.look(ctx, cancel, p, s)
	})
	s.stop = func() {
		cancel(nil)
		if !timer.Stop() {
			<-done
		}
	}
	return ctx, s
}

// look checks on p every SilenceCheck of silence until ctx ends.
func (c *Client) look(ctx context.Context, cancel context.CancelCauseFunc, p *peer, s *silence) {
	tick := time.NewTicker(c.opts.SilenceCheck)
	defer tick.Stop()
	limit := patience * c.opts.ProofTimeout
	for failures := 0; ; {
		if time.Since(time.Unix(0, s.last.Load())) < c.opts.SilenceCheck {
			failures = 0
		} else if conn, err := dialProven(ctx, p.inst, limit, limit); err == nil {
			conn.Close()
			failures = 0
		} else if failures++; failures == 2 {
			cancel(fmt.Errorf("%w: it stopped while a call was in progress: %w", ErrNoAnswer, err))
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
