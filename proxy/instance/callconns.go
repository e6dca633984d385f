package instance

import (
	"net"
	"sync"

	"github.com/berth-dev/berth/tools/lane"
)

// callConns are the connections that carry calls, which net/http has handed
// over and so does not close at the end.
type callConns struct {
	late *lane.Timers // of calls that have run for watchAfter

	mu      sync.Mutex
	ended   bool
	open    map[net.Conn]struct{}
	serving sync.WaitGroup
}

func newCallConns() *callConns {
	return &callConns{late: lane.NewTimers(watchAfter), open: map[net.Conn]struct{}{}}
}

// start runs serve in a goroutine of its own and closes conn when it returns.
func (c *callConns) start(conn net.Conn, serve func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		_ = conn.Close()
		return
	}
	c.open[conn] = struct{}{}
	c.serving.Go(func() {
		defer c.remove(conn)
		serve()
	})
}

func (c *callConns) remove(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, conn)
	_ = conn.Close()
}

// end closes the connections and waits for the goroutines that serve them.
func (c *callConns) end() {
	c.mu.Lock()
	c.ended = true
	for conn := range c.open {
		_ = conn.Close()
	}
	c.mu.Unlock()
	c.serving.Wait()
}
