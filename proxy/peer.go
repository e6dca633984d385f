package proxy

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
)

// idleTimeout is how long an unused connection is kept. It is shorter than the
// instance's own time-out, so that no call is sent on a connection that is being
// closed.
const idleTimeout = 90 * time.Second

// peer is one run of one instance and the proven connections to it. The token
// is part of what makes a peer: a connection is used only for calls that would
// accept the proof that was given on it.
type peer struct {
	root     string
	inst     wire.Instance
	host     string // 127.0.0.1:port
	opts     Options
	queries  *connGroup // of calls that wait for a database
	others   *connGroup // of all other calls
	requests *connGroup // of HTTP requests that are no calls
	watcher  *watcher
	used     uint64 // guarded by pool.mu

	mu       sync.Mutex
	provenAt time.Time // of the last connection that was; zero: none yet
	failed   error     // of the last dial before that
	failedAt time.Time // zero: none
}

func newPeer(root string, inst wire.Instance, opts Options) *peer {
	p := &peer{root: root, inst: inst, opts: opts, host: net.JoinHostPort("127.0.0.1", strconv.Itoa(inst.Port))}
	p.queries, p.others = p.newConnGroup(p.dialForCalls), p.newConnGroup(p.dialForCalls)
	p.requests = p.newConnGroup(p.dial)
	p.watcher = newWatcher(inst, opts)
	return p
}

// closeIdle closes the connections that no call uses.
func (p *peer) closeIdle() {
	p.queries.closeIdle()
	p.others.closeIdle()
	p.requests.closeIdle()
}

// dial opens one proven connection for a request that began at since, waiting
// for its turn included. Until the first dial succeeds, a failure counts for all
// requests that began before it: with more requests than connections, the last
// request would otherwise wait for the time-outs of all the others.
func (p *peer) dial(ctx context.Context, since time.Time) (*conn, error) {
	return p.opened(ctx, since, func() (*conn, error) {
		c, _, err := dialProven(ctx, p.inst, p.opts.ConnectTimeout, p.opts.ProofTimeout)
		if err != nil {
			return nil, err
		}
		return newConn(c), nil
	})
}

// dialForCalls is dial for a connection that carries calls: without HTTP, if
// the instance is of a version that can do that.
func (p *peer) dialForCalls(ctx context.Context, since time.Time) (*conn, error) {
	return p.opened(ctx, since, func() (*conn, error) {
		opened, health, err := dialProven(ctx, p.inst, p.opts.ConnectTimeout, p.opts.ProofTimeout)
		if err != nil {
			return nil, err
		}
		c := newConn(opened)
		if !health.Calls {
			return c, nil
		}
		if err := p.leaveHTTP(ctx, c); err != nil {
			_ = c.Close()
			return nil, err
		}
		c.calls = true
		return c, nil
	})
}

// opened returns what open does and remembers how that went. An instance that
// proves itself on one connection does not hang because the proof on another is
// late: then many open at once, or the machine is busy, and open is called again
// for as long as a call may wait for a connection.
func (p *peer) opened(ctx context.Context, since time.Time, open func() (*conn, error)) (*conn, error) {
	if err := p.failedSince(since); err != nil {
		return nil, err
	}
	for {
		began := time.Now()
		c, err := open()
		alive := p.remember(ctx, err, began)
		if err == nil || !alive || !errors.Is(err, ErrNoAnswer) || time.Since(since) > longestWait*p.opts.Patience {
			return c, err
		}
	}
}

// remember keeps how a dial that began went, and reports whether a connection
// was proven since.
func (p *peer) remember(ctx context.Context, err error, began time.Time) (alive bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		p.provenAt, p.failed = time.Now(), nil
	case p.provenAt.IsZero() && ctx.Err() == nil:
		p.failed, p.failedAt = err, time.Now()
	}
	return p.provenAt.After(began)
}

func (p *peer) failedSince(start time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil && start.Before(p.failedAt) {
		return p.failed
	}
	return nil
}
