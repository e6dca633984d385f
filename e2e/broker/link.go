package broker

import (
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Direction is one of the two ways of a [Link].
type Direction int

// The directions.
const (
	Requests Direction = iota // to the broker
	Answers                   // from the broker
)

// String names a direction.
func (d Direction) String() string { return [...]string{"requests", "answers"}[d] }

// Link is a network between a client and a broker: a TCP proxy whose directions
// can be held, one by one, and that can be cut.
type Link struct {
	URL string // of this end

	to       string
	listener net.Listener
	jobs     sync.WaitGroup

	mu    sync.Mutex
	moved *sync.Cond // held, cut or a pair's ended has changed
	held  [2]bool
	cut   bool
	pairs map[*pair]bool
}

// pair is a connection of a client and the one to the broker.
type pair struct {
	near, far net.Conn
	ended     bool
}

// NewLink returns a link to a broker, which ends with the test.
func NewLink(t testing.TB, b *Broker) *Link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &Link{URL: "nats://" + listener.Addr().String(), to: strings.TrimPrefix(b.URL, "nats://"), listener: listener, pairs: map[*pair]bool{}}
	l.moved = sync.NewCond(&l.mu)
	l.jobs.Go(l.serve)
	t.Cleanup(func() {
		_ = listener.Close()
		l.Cut()
		l.jobs.Wait()
	})
	return l
}

// Hold keeps back what is sent in a direction from now on. Connections stay, and
// nothing is lost as long as the link is not cut.
func (l *Link) Hold(d Direction) { l.change(func() { l.held[d] = true }) }

// Cut ends all connections, with what was held back, and lets none begin.
func (l *Link) Cut() {
	l.change(func() {
		l.cut = true
		for p := range l.pairs {
			p.end()
		}
	})
}

// Mend lets everything through again, and what was held back first.
func (l *Link) Mend() { l.change(func() { l.held, l.cut = [2]bool{}, false }) }

func (l *Link) change(how func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	how()
	l.moved.Broadcast()
}

func (l *Link) serve() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return // the test has ended
		}
		l.jobs.Go(func() { l.join(near) })
	}
}

// join connects a client with the broker until one of them ends.
func (l *Link) join(near net.Conn) {
	far, err := net.Dial("tcp", l.to)
	if err != nil {
		_ = near.Close()
		return
	}
	p := &pair{near: near, far: far}
	l.change(func() {
		l.pairs[p] = true
		if l.cut {
			p.end()
		}
	})
	var ways sync.WaitGroup
	ways.Go(func() { l.pump(p, far, near, Requests) })
	ways.Go(func() { l.pump(p, near, far, Answers) })
	ways.Wait()
	l.change(func() { delete(l.pairs, p) })
}

// pump copies one direction.
func (l *Link) pump(p *pair, to, from net.Conn, d Direction) {
	defer l.change(p.end)
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil || !l.pass(p, d) {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// pass waits while a direction is held. It reports whether the pair is still
// there.
func (l *Link) pass(p *pair, d Direction) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.held[d] && !p.ended {
		l.moved.Wait()
	}
	return !p.ended
}

func (p *pair) end() {
	p.ended = true
	_ = p.near.Close()
	_ = p.far.Close()
}
