package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/tools/db/driver"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/lane"
)

// Database is an opened database with its lanes: what an agent's queries take
// up is theirs alone, so that reading the catalogue, the designer's work and
// writes that a person approved never wait behind them.
type Database struct {
	driver.Database
	Queries, Writes *lane.Lane
	catalogue       *lane.Lane
	files           *lane.Lane
}

// Patience is how long a call waits for a place while nothing moves. It waits
// longer while others come and go.
const Patience = 2 * time.Second

const (
	laneLongest = 10 * time.Second
	laneWaiting = 1000
)

func newDatabase(d driver.Database) *Database {
	places := func(n int) *lane.Lane {
		return lane.New(lane.Options{Places: n, Waiting: laneWaiting, Patience: Patience, Longest: laneLongest})
	}
	return &Database{Database: d, Queries: places(driver.QueryPlaces), Writes: places(driver.WritePlaces), catalogue: places(driver.CataloguePlaces), files: places(driver.FilePlaces)}
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

// Timing is what a call took of the clock.
type Timing struct {
	Waited time.Duration // for a place in its lane
	Ran    time.Duration // the database's time
}

// Add counts a second try in.
func (s Timing) Add(more Timing) Timing { return Timing{s.Waited + more.Waited, s.Ran + more.Ran} }

// notedWait is the shortest wait that a reply mentions.
const notedWait = 100 * time.Millisecond

// Note says that a call waited; "": it did not.
func (s Timing) Note() string {
	if s.Waited < notedWait {
		return ""
	}
	return fmt.Sprintf("The call waited %v for its turn behind other queries of this connection; elapsedMs does not count that.", lane.Round(s.Waited))
}

// Enter waits for a place in a lane of cfg's database, which the caller leaves.
// what names the call for those who find the lane full: then the error is an
// [*OverloadedError]. Close ends the wait.
func (c *Connections) Enter(ctx context.Context, cfg Config, l *lane.Lane, what string) (*lane.Place, error) {
	if place := l.TryEnter(what); place != nil {
		return place, nil // without a context that ends with Close
	}
	ctx, done, err := c.Begin(ctx)
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

// ReadIn runs work that reads in a lane, for at most limit. When ctx ends it
// returns within 50 ms, whatever work does: then what work writes to must not
// be used. The place is given back when work has ended.
func (c *Connections) ReadIn(ctx context.Context, cfg Config, l *lane.Lane, what string, limit time.Duration, work func(context.Context) error) (Timing, error) {
	place, err := c.Enter(ctx, cfg, l, what)
	if err != nil {
		return Timing{}, err
	}
	start := time.Now()
	err = c.await(ctx, limit, func(ctx context.Context) error {
		defer place.Leave()
		return work(ctx)
	})
	return Timing{place.Waited, time.Since(start)}, err
}

// ReadCatalogue runs work that reads what the database says of itself.
func (c *Connections) ReadCatalogue(ctx context.Context, cfg Config, d *Database, work func(context.Context) error) error {
	_, err := c.ReadIn(ctx, cfg, d.catalogue, "reading the catalogue", c.Timeout(cfg), work)
	return err
}
