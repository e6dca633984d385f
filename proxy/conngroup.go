package proxy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/lane"
)

// connGroup is one of a peer's sets of connections, with the lane of the calls
// that use them. Queries, which may take as long as the database does, use
// a set of their own and so never block a call that reads a file or the design.
type connGroup struct {
	lane *lane.Lane
	dial func(ctx context.Context, since time.Time) (*conn, error)

	mu      sync.Mutex
	idle    []*conn // the one used last comes last
	closing bool    // connections are not kept; until one is taken again
}

// Limits on waiting for a connection.
const (
	maxWaiting  = 8192
	longestWait = 5 // times Options.Patience, in a lane that moves
)

func (p *peer) newConnGroup(dial func(ctx context.Context, since time.Time) (*conn, error)) *connGroup {
	return &connGroup{
		lane: lane.New(lane.Options{Places: p.opts.MaxConns, Waiting: maxWaiting,
			Patience: p.opts.Patience, Longest: longestWait * p.opts.Patience}),
		dial: dial,
	}
}

// connGroup returns the set of connections for a tool's calls.
func (p *peer) connGroup(tool string) *connGroup {
	switch tool {
	case catalog.RunQuery, catalog.MSSQLQuery, catalog.ExplainQuery, catalog.SampleTable, catalog.ExecuteSQL:
		return p.queries
	}
	return p.others
}

// enter waits for a place among the group's calls. The error is an
// [*overloadedError] or the cause of ctx.
func (r *connGroup) enter(ctx context.Context, tool string) (*lane.Place, error) {
	place, err := r.lane.Enter(ctx, tool)
	var full *lane.FullError
	if errors.As(err, &full) {
		return nil, &overloadedError{full}
	}
	return place, err
}

// take returns an idle connection, the one used last, or a new one for a request
// that began at since.
func (r *connGroup) take(ctx context.Context, since time.Time) (*conn, error) {
	if c := r.reuse(); c != nil {
		return c, nil
	}
	c, err := r.dial(ctx, since)
	if err != nil && ctx.Err() == nil {
		// On a busy machine a proof may take too long while other calls are
		// answered.
		if free := r.reuse(); free != nil {
			return free, nil
		}
	}
	return c, err
}

// reuse returns an idle connection, or nil if there is none.
func (r *connGroup) reuse() *conn {
	for c := r.pop(); c != nil; c = r.pop() {
		if c.expiry.Stop() && c.quiet() {
			return c
		}
		_ = c.Close()
	}
	return nil
}

func (r *connGroup) pop() *conn {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closing = false
	if len(r.idle) == 0 {
		return nil
	}
	last := len(r.idle) - 1
	c := r.idle[last]
	r.idle[last] = nil
	r.idle = r.idle[:last]
	return c
}

// put keeps a connection that no exchange uses any longer.
func (r *connGroup) put(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closing {
		_ = c.Close()
		return
	}
	c.idleAt = time.Now()
	c.expiry = time.AfterFunc(idleTimeout, func() { r.expire(c) })
	r.idle = append(r.idle, c)
}

func (r *connGroup) expire(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = slices.DeleteFunc(r.idle, func(other *conn) bool { return other == c })
	_ = c.Close()
}

// closeIdle closes the idle connections, and those in use when their exchange
// ends.
func (r *connGroup) closeIdle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closing = true
	for _, c := range r.idle {
		c.expiry.Stop()
		_ = c.Close()
	}
	r.idle = nil
}

// overloadedError reports a call that was not sent, because too many others
// of this process are in progress.
type overloadedError struct{ full *lane.FullError }

func (e *overloadedError) Error() string {
	return fmt.Sprintf("%s: too many calls to the project's instance are in progress, %v. Nothing was done: repeat the call a little later",
		wire.CodeOverloaded, e.full)
}
