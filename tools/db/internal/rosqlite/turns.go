package rosqlite

import (
	"context"
	"runtime"
	"sync"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Turns bounds how many long statements compute at once. The engine computes
// in this very process: statements that burn every processor for seconds
// would keep everything else here waiting for one. A statement's first moments
// are free, so that a short one waits for no turn; after that it computes only
// while it has one, and hands it on after a slice of time where others wait.
type Turns struct{ places chan struct{} }

// NewTurns returns turns that leave one processor to others, where there are
// several.
func NewTurns() *Turns {
	return &Turns{places: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// How statements take turns.
const (
	freeTime  = 50 * time.Millisecond // from a statement's beginning
	sliceTime = 20 * time.Millisecond
	lookSteps = 1000 // instructions of the engine between two looks, some 20 µs
)

// turn is what one connection has of the turns. All but the registry is the
// business of the goroutine that uses the connection.
type turn struct {
	turns *Turns
	id    uintptr

	ctx   context.Context // of the statement
	free  time.Time       // until then it needs no turn
	since time.Time       // it has had its turn; zero: it has none
}

// registry finds a connection's turn in the engine's callback, which carries
// a number and no pointer of Go's.
var registry struct {
	sync.Mutex
	last  uintptr
	turns map[uintptr]*turn
}

// watch has the engine call back while it computes for c. The result is nil
// where t is, and its methods then do nothing.
func (t *Turns) watch(c *conn) *turn {
	if t == nil {
		return nil
	}
	r := &turn{turns: t, ctx: context.Background()}
	registry.Lock()
	registry.last++
	r.id = registry.last
	if registry.turns == nil {
		registry.turns = map[uintptr]*turn{}
	}
	registry.turns[r.id] = r
	registry.Unlock()
	sqlite3.Xsqlite3_progress_handler(c.tls, c.db, lookSteps, functionPointer(takeTurns), r.id)
	return r
}

// forget ends watch.
func (r *turn) forget() {
	if r == nil {
		return
	}
	registry.Lock()
	defer registry.Unlock()
	delete(registry.turns, r.id)
}

// begin notes that a statement begins.
func (r *turn) begin(ctx context.Context) {
	if r != nil {
		r.ctx, r.free = ctx, time.Now().Add(freeTime)
	}
}

// pause hands the turn on: the engine stands still until the next row is
// asked for.
func (r *turn) pause() {
	if r != nil && !r.since.IsZero() {
		<-r.turns.places
		r.since = time.Time{}
	}
}

// takeTurns is the engine's callback. Other than 0 it ends the statement.
func takeTurns(_ *libc.TLS, id uintptr) int32 {
	registry.Lock()
	r := registry.turns[id]
	registry.Unlock()
	if r == nil {
		return 0
	}
	now := time.Now()
	if now.Before(r.free) {
		return 0
	}
	if !r.since.IsZero() && now.Sub(r.since) >= sliceTime {
		r.pause() // whoever waits has it before this one can again
	}
	if r.since.IsZero() {
		select {
		case r.turns.places <- struct{}{}:
			r.since = time.Now()
		case <-r.ctx.Done():
			return 1
		}
	}
	runtime.Gosched() // where there is one processor for all
	return 0
}
