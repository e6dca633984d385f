package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
)

// maxAnswerBytes bounds the answer to one request: drivers keep what they
// read, and a catalogue's rows are kept here until the last has come.
const maxAnswerBytes = 256 << 20

// ErrAnswerTooBig says that an answer is longer than maxAnswerBytes.
var ErrAnswerTooBig = fmt.Errorf("the server's answer is longer than %d MiB, which is the limit here", maxAnswerBytes>>20)

// RowMeter counts the bytes of one row: drivers without a limit of their own
// read a whole row into memory, however long it is.
type RowMeter struct {
	left atomic.Int64
	gate largeGate

	mu    sync.Mutex
	conns []net.Conn // that it meters
}

// NewRowMeter returns a meter that begins to count a row.
func NewRowMeter() *RowMeter {
	m := &RowMeter{}
	m.Next()
	return m
}

// Next says that the next row begins.
func (m *RowMeter) Next() { m.left.Store(MaxRowBytes) }

// Done says that the rows of an answer were read and used.
func (m *RowMeter) Done() { m.gate.used() }

// Exceeded reports whether a row was longer than that.
func (m *RowMeter) Exceeded() bool { return m.left.Load() <= 0 }

type meterKey struct{}

// NewContext returns ctx for dialing a connection whose reading counts on m.
func (m *RowMeter) NewContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// Cut closes the connections that m meters, also while they are at work: what
// waits for them fails. A driver's own Close is for a connection that rests:
// SQL Server's hands its buffer on to the next one.
func (m *RowMeter) Cut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, conn := range m.conns {
		_ = conn.Close()
	}
}

// meter counts what is read from conn: for each row where ctx has a meter,
// else for each answer.
func meter(ctx context.Context, conn net.Conn) net.Conn {
	if m, ok := ctx.Value(meterKey{}).(*RowMeter); ok {
		metered := &meteredConn{gatedConn{conn, &m.gate}, m}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.conns = append(m.conns, metered)
		return metered
	}
	gate := &largeGate{}
	return &AnswerConn{gatedConn: gatedConn{conn, gate}}
}

type meteredConn struct {
	gatedConn
	meter *RowMeter
}

// Read implements [net.Conn]. Its error is ErrRowTooBig where a row is.
func (c *meteredConn) Read(b []byte) (int, error) {
	if c.meter.Exceeded() {
		return 0, ErrRowTooBig
	}
	if c.meter.left.Load() < MaxRowBytes-largeBytes {
		if err := c.gate.pass(); err != nil {
			return 0, err
		}
	}
	n, err := c.Conn.Read(b)
	c.meter.left.Add(-int64(n))
	return n, err
}

// AnswerConn counts what comes after each request.
type AnswerConn struct {
	gatedConn
	read atomic.Int64
	rows atomic.Bool // each counts by itself, until the next request
}

// Read implements [net.Conn]. Its error is ErrAnswerTooBig where an answer is.
func (c *AnswerConn) Read(b []byte) (int, error) {
	if c.read.Load() > maxAnswerBytes {
		return 0, ErrAnswerTooBig
	}
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

// Row begins to count again, as at the next row of an answer.
func (c *AnswerConn) Row() {
	c.read.Store(0)
	c.rows.Store(true)
}

// Done says that the rows of an answer were read and used.
func (c *AnswerConn) Done() {
	c.rows.Store(false)
	c.gate.used()
}

// Write implements [net.Conn]. It begins the next request.
func (c *AnswerConn) Write(b []byte) (int, error) {
	c.read.Store(0)
	c.rows.Store(false)
	return c.gatedConn.Write(b)
}

// AnswerConnOf returns the counter of a connection, below encryption; nil: it has
// none.
func AnswerConnOf(conn net.Conn) *AnswerConn {
	for {
		switch c := conn.(type) {
		case *AnswerConn:
			return c
		case interface{ NetConn() net.Conn }:
			conn = c.NetConn()
		default:
			return nil
		}
	}
}

// SyscallConn lets drivers look whether an idle connection was closed by the
// server.
func (c *AnswerConn) SyscallConn() (syscall.RawConn, error) {
	if conn, ok := c.Conn.(syscall.Conn); ok {
		return conn.SyscallConn()
	}
	return nil, errors.New("no descriptor")
}
