package dial

import (
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	// largeBytes is from how much on a row is large. Reading one takes up to
	// four times its length: the driver's buffer, which it rounds up, and
	// copies that are garbage soon.
	largeBytes = 8 << 20
	// largeWait bounds the wait for the large row of another call. A wait
	// without end could be one for a connection that the same call reads.
	largeWait = 10 * time.Second
	// largePoll is the time between two looks at whether the wait is over.
	largePoll = 10 * time.Millisecond
)

// largeRows has a place for the one large row that is read at a time in
// this process: together they would take more memory than a single one is
// allowed to.
var largeRows = make(chan struct{}, 1)

// largeGate is the way of one connection through largeRows. One goroutine
// reads; any may write, set deadlines and close. The zero value is ready.
type largeGate struct {
	passed   atomic.Bool
	gaveUp   atomic.Bool // waited for too long, and reads beside another one
	coming   atomic.Bool // the large row was announced and is not whole
	closed   atomic.Bool
	deadline atomic.Pointer[time.Time] // of reading; nil or zero: none
}

// pass waits until no other connection reads a large row, at most largeWait. It
// is called for each part of the row, and waits for the first one only.
func (g *largeGate) pass() error { return g.passWithin(largeWait) }

func (g *largeGate) passWithin(most time.Duration) error {
	if g.passed.Load() || g.gaveUp.Load() {
		return nil
	}
	for end := time.Now().Add(most); time.Now().Before(end); {
		select {
		case largeRows <- struct{}{}:
			g.passed.Store(true)
			if g.closed.Load() {
				g.leave()
				return net.ErrClosed
			}
			return nil
		case <-time.After(largePoll):
		}
		if d := g.deadline.Load(); d != nil && !d.IsZero() && !time.Now().Before(*d) {
			return os.ErrDeadlineExceeded
		}
		if g.closed.Load() {
			return net.ErrClosed
		}
	}
	g.gaveUp.Store(true)
	return nil
}

// leave lets the next one in, once what was read is garbage.
func (g *largeGate) leave() {
	g.gaveUp.Store(false)
	if g.passed.CompareAndSwap(true, false) {
		// The next one would come on top of it. What a pool holds is garbage
		// only for the second collection.
		runtime.GC()
		debug.FreeOSMemory()
		<-largeRows
	}
}

// used lets the next one in unless the row is still to come: what was used
// then came before it.
func (g *largeGate) used() {
	if !g.coming.Load() {
		g.leave()
	}
}

// gatedConn is a connection that passes gate while it reads a large row,
// which ends with the next request at the latest.
type gatedConn struct {
	net.Conn
	gate *largeGate
}

// SetDeadline implements [net.Conn].
func (c gatedConn) SetDeadline(t time.Time) error {
	c.gate.deadline.Store(&t)
	return c.Conn.SetDeadline(t)
}

// SetReadDeadline implements [net.Conn].
func (c gatedConn) SetReadDeadline(t time.Time) error {
	c.gate.deadline.Store(&t)
	return c.Conn.SetReadDeadline(t)
}

// Write implements [net.Conn].
func (c gatedConn) Write(b []byte) (int, error) {
	c.gate.used()
	return c.Conn.Write(b)
}

// Close implements [net.Conn].
func (c gatedConn) Close() error {
	c.gate.closed.Store(true)
	c.gate.leave()
	return c.Conn.Close()
}
