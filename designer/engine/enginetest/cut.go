package enginetest

import (
	"bytes"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cutter stands between a program and a server, and ends a connection in the
// middle of the server's answer to a query.
type Cutter struct {
	Addr string // where it listens, host:port

	mu   sync.Mutex
	when []byte
	left int
	cuts int
}

// NewCutter returns one before the server at the address. It forwards all
// until it is told otherwise.
func NewCutter(t testing.TB, server string) *Cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	c := &Cutter{Addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.forward(client, server)
		}
	}()
	return c
}

// CutAt makes it end the next connections that ask for something with the
// text, so many of them.
func (c *Cutter) CutAt(text string, times int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.when, c.left, c.cuts = []byte(text), times, 0
}

// Cuts is how many connections it has ended since CutAt.
func (c *Cutter) Cuts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cuts
}

// asked reports whether the answer to what the client sends is to be cut.
func (c *Cutter) asked(sent []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 || !bytes.Contains(sent, c.when) {
		return false
	}
	c.left--
	c.cuts++
	return true
}

func (c *Cutter) forward(client net.Conn, address string) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	var mu sync.Mutex
	cut := false
	go func() {
		copyTo(server, client, func(sent []byte) []byte {
			if c.asked(sent) {
				mu.Lock()
				cut = true
				mu.Unlock()
			}
			return sent
		})
		_ = server.Close()
	}()
	copyTo(client, server, func(answer []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		if cut {
			return answer[:len(answer)/2]
		}
		return answer
	})
}

// copyTo forwards what is read as change returns it, and ends where that is
// less.
func copyTo(to, from net.Conn, change func([]byte) []byte) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		part := change(buf[:n])
		if _, failed := to.Write(part); failed != nil || err != nil || len(part) < n {
			return
		}
	}
}
