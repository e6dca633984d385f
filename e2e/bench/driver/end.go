package driver

import (
	"os"
	"syscall"
	"time"
)

// CloseInput closes the server's standard input and waits for its end, as
// clients do. It returns how long that took; after limit the server is killed
// and ok is false.
func (c *Client) CloseInput(limit time.Duration) (took time.Duration, ok bool) {
	return c.end(limit, func() { _ = c.in.Close() })
}

// Terminate sends SIGTERM and waits for the server's end as CloseInput does.
func (c *Client) Terminate(limit time.Duration) (took time.Duration, ok bool) {
	return c.end(limit, func() { _ = c.cmd.Process.Signal(syscall.SIGTERM) })
}

// Kill ends the server at once. It may be called again.
func (c *Client) Kill() {
	c.end(0, func() { _ = c.cmd.Process.Signal(os.Kill) })
}

func (c *Client) end(limit time.Duration, ask func()) (took time.Duration, ok bool) {
	if c.ended {
		return 0, true
	}
	c.ended = true
	done := make(chan struct{})
	began := time.Now()
	ask()
	go func() {
		_ = c.cmd.Wait() // how it ended is not asked
		close(done)
	}()
	select {
	case <-done:
		return time.Since(began), true
	case <-time.After(limit):
		_ = c.cmd.Process.Kill()
		<-done
		return limit, false
	}
}
