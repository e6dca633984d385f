package driver

import (
	"context"
	"sync"
	"time"
)

const (
	// stillTime is how long nothing moves before one more may be in a [gradual].
	stillTime = 10 * time.Millisecond
	// openTime is the same while a connection is being opened.
	openTime = 250 * time.Millisecond
)

// gradual lets few in at first, and one more whenever those who are in made no
// progress for a moment while somebody waits: where they share processors,
// more of them help only behind long work.
type gradual struct {
	free chan struct{} // a place each

	mu      sync.Mutex
	limit   int // places there are, at most cap(free)
	waiting int
	opening int         // places whose connection is being opened
	moved   time.Time   // when a place was left or allowed last, or a connection opened
	look    *time.Timer // while somebody waits
}

// newGradual has few places, and at most so many.
func newGradual(few, most int) *gradual {
	g := &gradual{free: make(chan struct{}, most), limit: min(few, most)}
	for range g.limit {
		g.free <- struct{}{}
	}
	return g
}

// enter waits for a place, in turn. Then leave must be called.
func (g *gradual) enter(ctx context.Context) error {
	select {
	case <-g.free:
		return nil
	default:
	}
	g.wait(+1)
	defer g.wait(-1)
	select {
	case <-g.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gradual) leave() {
	g.note(0)
	g.free <- struct{}{}
}

// note counts connections that are being opened, and is progress.
func (g *gradual) note(opening int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opening += opening
	g.moved = time.Now()
}

// wait counts those who wait. The first has the rest looked after.
func (g *gradual) wait(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting += n
	if g.look == nil && g.waiting > 0 && g.limit < cap(g.free) {
		g.look = time.AfterFunc(stillTime, g.growIfStill)
	}
}

// growIfStill allows one more if nothing moved for a moment, and looks again
// as long as somebody waits.
func (g *gradual) growIfStill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting == 0 || g.limit == cap(g.free) {
		g.look = nil
		return
	}
	patience := stillTime
	if g.opening > 0 {
		patience = openTime
	}
	still := time.Since(g.moved)
	if still >= patience {
		g.limit++
		g.moved, still = time.Now(), 0
		g.free <- struct{}{}
	}
	g.look.Reset(max(stillTime-still, time.Millisecond))
}
