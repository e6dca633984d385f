package instance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// errShuttingDown is the error for calls refused or cut off during shutdown.
var errShuttingDown = errors.New("the instance is shutting down")

// gate counts the calls in flight and, once closed, admits no more. With it,
// shutdown waits for calls and not for connections.
type gate struct {
	mu     sync.Mutex
	closed bool
	n      int
	empty  chan struct{} // closed when closed and n is 0
	ctx    context.Context
	cut    context.CancelCauseFunc
}

func newGate() *gate {
	g := &gate{}
	g.open()
	return g
}

// open lets calls in, also after a drain.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cut != nil {
		g.cut(errShuttingDown)
	}
	g.closed = false
	g.empty = make(chan struct{})
	g.ctx, g.cut = context.WithCancelCause(context.Background())
}

// refuses reports whether the gate is closed.
func (g *gate) refuses() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// enter admits one call. The returned context is canceled with ctx and when
// drain stops waiting. The caller must call leave.
func (g *gate) enter(ctx context.Context) (inside context.Context, leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, nil, errShuttingDown
	}
	g.n++
	inside, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(g.ctx, func() { cancel(errShuttingDown) })
	return inside, sync.OnceFunc(func() {
		stop()
		cancel(nil)
		g.leave()
	}), nil
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.closed && g.n == 0 {
		close(g.empty)
	}
}

// drain closes the gate and waits for the calls in flight: three quarters of
// limit for them to finish, and the rest of it after canceling their contexts.
// It returns an error if a call is left.
func (g *gate) drain(limit time.Duration) error {
	empty, cut := g.shut()
	if waitFor(empty, limit*3/4) {
		return nil
	}
	cut(errShuttingDown)
	if waitFor(empty, limit/4) {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return fmt.Errorf("%d calls did not end within %v", g.n, limit)
}

func (g *gate) shut() (empty <-chan struct{}, cut context.CancelCauseFunc) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.closed = true
		if g.n == 0 {
			close(g.empty)
		}
	}
	return g.empty, g.cut
}

func waitFor(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
