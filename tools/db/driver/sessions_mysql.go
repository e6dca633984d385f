package driver

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	driversql "github.com/go-sql-driver/mysql"

	"github.com/berth-dev/berth/tools/db/dial"
)

// sessionsMySQL keeps sessions for later queries: those that are made as new
// after a query, and where there is none of them one that is dialled ahead,
// since to dial is most of what a short query costs. All are in their
// transaction, and closed when no query comes.
type sessionsMySQL struct {
	dial func(context.Context) (*mysqlSession, error)

	mu     sync.Mutex
	ready  []*mysqlSession // the one that was used last is the last
	making context.CancelFunc
	closed bool
	work   sync.WaitGroup // dials, and the ends of sessions
}

// take returns a session that waits, the one that was used last; nil: none
// does. The server may have ended it meanwhile.
func (p *sessionsMySQL) take() *mysqlSession {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.ready) == 0 {
		return nil
	}
	s := p.ready[len(p.ready)-1]
	p.ready = p.ready[:len(p.ready)-1]
	s.idle.Stop()
	return s
}

// put keeps a session, or closes it where there are enough.
func (p *sessionsMySQL) put(s *mysqlSession) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.ready) >= QueryPlaces {
		_ = s.conn.Close() // nobody is left to be told
		return
	}
	p.ready = append(p.ready, s)
	if s.idle == nil {
		s.idle = time.AfterFunc(poolIdle, func() { p.drop(s) })
	} else {
		s.idle.Reset(poolIdle)
	}
}

// refill dials a session where none waits, and returns at once.
func (p *sessionsMySQL) refill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.ready) > 0 || p.making != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), dial.Timeout)
	p.making = cancel
	p.work.Go(func() {
		defer cancel()
		s, err := p.dial(ctx)
		p.mu.Lock()
		p.making = nil
		p.mu.Unlock()
		if err == nil { // else the next query dials, and says why it cannot
			p.put(s)
		}
	})
}

// later does what no caller waits for, but close.
func (p *sessionsMySQL) later(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		go f() // it has an end of its own
		return
	}
	p.work.Go(f)
}

// drop closes a session that still waits.
func (p *sessionsMySQL) drop(s *mysqlSession) {
	p.mu.Lock()
	i := slices.Index(p.ready, s)
	if i >= 0 {
		p.ready = slices.Delete(p.ready, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		_ = s.conn.Close() // nothing is left to say
	}
}

func (p *sessionsMySQL) close() {
	p.mu.Lock()
	p.closed = true
	if p.making != nil {
		p.making()
	}
	ready := p.ready
	p.ready = nil
	p.mu.Unlock()
	for _, s := range ready {
		s.idle.Stop()
		_ = s.conn.Close() // nothing is left to say
	}
	p.work.Wait()
}

// keep has a session made as new for a later query. It does not wait for the
// server: settle does.
func (d *mysqlDatabase) keep(s *mysqlSession) {
	if s.single || d.single.Load() || s.ahead.Reset(s.opening()...) != nil {
		d.leave(s, false)
		return
	}
	d.sessions.put(s)
}

// settle waits until the server has made the session as new. One that is not
// is lost, as if the server had ended it: nothing was asked yet. Where the
// server cannot, or something between us and it keeps it from that, no session
// is kept from then on.
func (d *mysqlDatabase) settle(s *mysqlSession) error {
	s.meter.Next()
	err := s.ahead.Settle(cleanWait)
	if err == nil {
		return nil
	}
	var e *driversql.MySQLError
	if errors.As(err, &e) {
		ended := errors.Is(mysqlLost(err), dial.ErrLost)
		if !ended && !strings.Contains(e.Message, otherModes) {
			d.single.Store(true)
		}
	} else if errors.Is(err, os.ErrDeadlineExceeded) || !dial.IsLost(err) {
		d.single.Store(true)
	}
	return dial.ErrLost
}

// leave closes a session. working reports that the server may be at work for
// it: then it is ended there too, which nobody waits for.
func (d *mysqlDatabase) leave(s *mysqlSession, working bool) {
	if working {
		s.ahead.Close()
		if s.rest != nil {
			_ = s.rest.Close() // the connection is gone
		}
		d.sessions.later(func() { d.kill(s.id) })
	}
	_ = s.conn.Close() // that ends the transaction too
	d.sessions.refill()
}

// finish reads the rest of an answer that nobody wants, for a short time, and
// keeps the session if that was all. No caller waits for it.
func (d *mysqlDatabase) finish(s *mysqlSession) {
	d.sessions.later(func() {
		late := time.AfterFunc(abandonWait, s.ahead.Close)
		err := s.rest.Close()
		if s.meter.Done(); !late.Stop() || err != nil {
			d.leave(s, true)
			return
		}
		s.rest = nil
		d.keep(s)
	})
	d.sessions.refill()
}
