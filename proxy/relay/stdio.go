package relay

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// stdio is the two streams of a command as a connection. It has no deadlines:
// standard input has none everywhere, and pings end what hangs.
type stdio struct {
	in     io.Reader
	out    io.Writer
	broke  atomic.Bool   // the other end closed a stream
	closed chan struct{} // closed by Close
	close  func()
	once   sync.Once
}

// newStdio returns a connection that reads in and writes out. close is called
// once, when the connection is closed.
func newStdio(in io.Reader, out io.Writer, close func()) *stdio {
	return &stdio{in: in, out: out, closed: make(chan struct{}), close: close}
}

// Read implements net.Conn.
func (c *stdio) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	if err != nil {
		c.noteBroken()
	}
	return n, err
}

// Write implements net.Conn.
func (c *stdio) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	if err != nil {
		c.noteBroken()
	}
	return n, err
}

// noteBroken records an error that this end did not cause by closing.
func (c *stdio) noteBroken() {
	select {
	case <-c.closed:
	default:
		c.broke.Store(true)
	}
}

// Close implements net.Conn.
func (c *stdio) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.close()
	})
	return nil
}

// LocalAddr and the rest of net.Conn.
func (c *stdio) LocalAddr() net.Addr              { return address{} }
func (c *stdio) RemoteAddr() net.Addr             { return address{} }
func (c *stdio) SetDeadline(time.Time) error      { return nil }
func (c *stdio) SetReadDeadline(time.Time) error  { return nil }
func (c *stdio) SetWriteDeadline(time.Time) error { return nil }

type address struct{}

func (address) Network() string { return "stdio" }
func (address) String() string  { return "stdio" }

// oneConn is a listener that accepts one connection, and ends with it.
type oneConn struct {
	conn  *stdio
	mu    sync.Mutex
	taken bool
}

var errOver = errors.New("the one connection has ended")

// Accept implements net.Listener.
func (l *oneConn) Accept() (net.Conn, error) {
	l.mu.Lock()
	first := !l.taken
	l.taken = true
	l.mu.Unlock()
	if first {
		return l.conn, nil
	}
	<-l.conn.closed
	return nil, errOver
}

func (l *oneConn) Close() error   { return l.conn.Close() }
func (l *oneConn) Addr() net.Addr { return address{} }

// closeAll closes files; that some are closed already is fine.
func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
