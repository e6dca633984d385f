package db

import (
	"context"
	"net"
	"sync/atomic"
)

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

// spent tells whether a row was longer than that.
func (m *rowMeter) spent() bool { return m.left.Load() <= 0 }

type meterKey struct{}

// with has the connection that ctx dials count on m.
func (m *rowMeter) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// meter counts what is read from conn, where ctx has a meter.
func meter(ctx context.Context, conn net.Conn) net.Conn {
	if m, ok := ctx.Value(meterKey{}).(*rowMeter); ok {
		return &meteredConn{conn, m}
	}
	return conn
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
