package db

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"syscall"
)

// maxAnswerBytes bounds the answer to one request: drivers keep what they
// read, and a catalogue's rows are kept here until the last has come.
const maxAnswerBytes = 256 << 20

// errAnswerTooBig says that an answer is longer than maxAnswerBytes.
var errAnswerTooBig = fmt.Errorf("the server's answer is longer than %d MiB, which is the limit here", maxAnswerBytes>>20)

// rowMeter counts the bytes of one row: drivers without a limit of their own
// read a whole row into memory, however long it is.
type rowMeter struct{ left atomic.Int64 }

func newRowMeter() *rowMeter {
	m := &rowMeter{}
	m.next()
	return m
}

// next says that the next row begins.
func (m *rowMeter) next() { m.left.Store(maxRowBytes) }

// spent reports whether a row was longer than that.
func (m *rowMeter) spent() bool { return m.left.Load() <= 0 }

type meterKey struct{}

// with has the connection that ctx dials count on m.
func (m *rowMeter) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// meter counts what is read from conn: for each row where ctx has a meter,
// else for each answer.
func meter(ctx context.Context, conn net.Conn) net.Conn {
	if m, ok := ctx.Value(meterKey{}).(*rowMeter); ok {
		return &meteredConn{conn, m}
	}
	return &answerConn{Conn: conn}
}

type meteredConn struct {
	net.Conn
	meter *rowMeter
}

// Read implements [net.Conn]. Its error is errRowTooBig where a row is.
func (c *meteredConn) Read(b []byte) (int, error) {
	if c.meter.spent() {
		return 0, errRowTooBig
	}
	n, err := c.Conn.Read(b)
	c.meter.left.Add(-int64(n))
	return n, err
}

// answerConn counts what comes after each request.
type answerConn struct {
	net.Conn
	read atomic.Int64
}

// Read implements [net.Conn]. Its error is errAnswerTooBig where an answer is.
func (c *answerConn) Read(b []byte) (int, error) {
	if c.read.Load() > maxAnswerBytes {
		return 0, errAnswerTooBig
	}
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

// Write implements [net.Conn]. It begins the next request.
func (c *answerConn) Write(b []byte) (int, error) {
	c.read.Store(0)
	return c.Conn.Write(b)
}

// answerOf returns the counter of a connection, below encryption; nil: it has
// none.
func answerOf(conn net.Conn) *answerConn {
	for {
		switch c := conn.(type) {
		case *answerConn:
			return c
		case interface{ NetConn() net.Conn }:
			conn = c.NetConn()
		default:
			return nil
		}
	}
}

// each returns into so that each row counts by itself.
func (c *answerConn) each(into sink) sink {
	if c == nil {
		return into
	}
	return eachRow{into, c}
}

type eachRow struct {
	sink
	conn *answerConn
}

func (s eachRow) Row(values []any) (bool, error) {
	s.conn.read.Store(0)
	return s.sink.Row(values)
}

// SyscallConn lets drivers look whether an idle connection was closed by the
// server.
func (c *answerConn) SyscallConn() (syscall.RawConn, error) {
	if conn, ok := c.Conn.(syscall.Conn); ok {
		return conn.SyscallConn()
	}
	return nil, errors.New("no descriptor")
}
