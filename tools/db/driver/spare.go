package driver

import (
	"context"
	"database/sql/driver"
	"sync"
	"time"

	"github.com/berth-dev/berth/tools/db/dial"
)

// spareConn keeps one connection at hand that nobody has used yet, where every
// query has a connection of its own: making one is most of what a short query
// costs, and on a busy server the part that waits. It is made after a query,
// its transaction begun, and closed when no other comes.
type spareConn struct {
	dial func(context.Context) (*unusedConn, error)

	mu     sync.Mutex
	ready  *unusedConn // nil: none
	making context.CancelFunc
	idle   *time.Timer // closes ready
	closed bool
	dials  sync.WaitGroup
}

// unusedConn is a connection with the meter that counts what it reads.
type unusedConn struct {
	driver.Conn
	meter   *dial.RowMeter
	session *mysqlSession // in its transaction
}

func dialUnused(ctx context.Context, connector driver.Connector) (*unusedConn, error) {
	meter := dial.NewRowMeter()
	conn, err := connector.Connect(meter.NewContext(ctx))
	if err != nil {
		return nil, err
	}
	return &unusedConn{Conn: conn, meter: meter}, nil
}

// take returns the spare connection; nil: there is none. The server may have
// ended it meanwhile.
func (s *spareConn) take() *unusedConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	conn := s.ready
	if s.ready = nil; conn != nil {
		s.idle.Stop()
	}
	return conn
}

// refill makes a spare connection where there is none, and returns at once.
func (s *spareConn) refill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.ready != nil || s.making != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), dial.Timeout)
	s.making = cancel
	s.dials.Go(func() {
		defer cancel()
		conn, err := s.dial(ctx)
		s.keep(conn, err)
	})
}

// keep takes what a dial gave.
func (s *spareConn) keep(conn *unusedConn, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.making = nil
	switch {
	case err != nil: // the next query dials, and says why it cannot
	case s.closed:
		_ = conn.Close() // nobody is left to be told
	default:
		s.ready = conn
		s.idle = time.AfterFunc(poolIdle, func() { s.drop(conn) })
	}
}

// drop closes a connection that is still the spare one.
func (s *spareConn) drop(conn *unusedConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready == conn {
		s.ready = nil
		_ = conn.Close() // it was not used
	}
}

func (s *spareConn) close() {
	s.mu.Lock()
	s.closed = true
	if s.making != nil {
		s.making()
	}
	conn := s.ready
	s.mu.Unlock()
	if conn != nil {
		s.drop(conn)
	}
	s.dials.Wait()
}
