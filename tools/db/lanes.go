package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/lane"
)

// opened is an opened database with its lanes: what an agent's queries take
// up is theirs alone, so that reading the catalogue, the designer's work and
// writes that a person approved never wait behind them.
type opened struct {
	driver.Database
	queries, catalogue, writes *lane.Lane
}

// How long a call waits for a place: a bit where nothing moves, longer where
// others come and go.
const (
	lanePatience = 2 * time.Second
	laneLongest  = 10 * time.Second
	laneWaiting  = 1000
)

func newOpened(d driver.Database) *opened {
	places := func(n int) *lane.Lane {
		return lane.New(lane.Options{Places: n, Waiting: laneWaiting, Patience: lanePatience, Longest: laneLongest})
	}
	return &opened{d, places(driver.QueryPlaces), places(driver.CataloguePlaces), places(driver.WritePlaces)}
}

// OverloadedError reports that a call was refused because too many others
// run. Nothing was done.
type OverloadedError struct {
	Connection string
	Full       *lane.FullError // what runs
}

func (e *OverloadedError) Error() string {
	return fmt.Sprintf("overloaded: connection %s is busy, %v. Nothing was done: repeat the call a little later",
		replytext.Quote(e.Connection), e.Full)
}

// Plain is the message.
func (e *OverloadedError) Plain() string { return replytext.Shown(e.Error()) }

// Refusal is the failure as the wire's closed list has it.
func (e *OverloadedError) Refusal() (code, message string) { return "overloaded", e.Plain() }

// spent is what a call took of the clock.
type spent struct {
	waited time.Duration // for a place in its lane
	ran    time.Duration // the database's time
}

// add counts a second try in.
func (s spent) add(more spent) spent { return spent{s.waited + more.waited, s.ran + more.ran} }

// notedWait is the shortest wait that a reply mentions.
const notedWait = 100 * time.Millisecond

// note says that a call waited; "": it did not.
func (s spent) note() string {
	if s.waited < notedWait {
		return ""
	}
	return fmt.Sprintf("The call waited %v for its turn behind other queries of this connection; elapsedMs does not count that.", lane.Round(s.waited))
}

// enter waits for a place in a lane of cfg's database. Close ends the wait.
func (c *Connections) enter(ctx context.Context, cfg Config, l *lane.Lane, what string) (*lane.Place, error) {
	ctx, done, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	place, err := l.Enter(ctx, what)
	var full *lane.FullError
	if errors.As(err, &full) {
		return nil, &OverloadedError{Connection: cfg.Name, Full: full}
	}
	return place, err
}

// readIn runs work that reads in a lane; see await. The place is given back
// when the work has ended, which may be after readIn returned.
func (c *Connections) readIn(ctx context.Context, cfg Config, l *lane.Lane, what string, limit time.Duration, work func(context.Context) error) (spent, error) {
	place, err := c.enter(ctx, cfg, l, what)
	if err != nil {
		return spent{}, err
	}
	start := time.Now()
	err = c.await(ctx, limit, func(ctx context.Context) error {
		defer place.Leave()
		return work(ctx)
	})
	return spent{place.Waited, time.Since(start)}, err
}

// readCatalogue runs work that reads what the database says of itself.
func (c *Connections) readCatalogue(ctx context.Context, cfg Config, d *opened, work func(context.Context) error) error {
	_, err := c.readIn(ctx, cfg, d.catalogue, "reading the catalogue", c.timeout(cfg), work)
	return err
}
