package origin

import (
	"sync"
	"time"
)

// A Limiter is a token bucket that allows burst events at once and one more every
// period. It is safe for concurrent use.
type Limiter struct {
	now    func() time.Time
	burst  int
	period time.Duration

	mu      sync.Mutex
	left    int
	filled  time.Time // up to when left counts the refill
	dropped int       // since the last event that was let through
}

// NewLimiter returns a full one. now is the clock.
func NewLimiter(now func() time.Time, burst int, period time.Duration) *Limiter {
	return &Limiter{now: now, burst: burst, period: period, left: burst, filled: now()}
}

// Allow reports whether an event is allowed. dropped is the number of events
// refused since the last allowed one.
func (l *Limiter) Allow() (ok bool, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refillLocked()
	if l.left == 0 {
		l.dropped++
		return false, l.dropped
	}
	l.left--
	dropped, l.dropped = l.dropped, 0
	return true, dropped
}

func (l *Limiter) refillLocked() {
	now := l.now()
	if now.Before(l.filled) { // the clock was set back
		l.filled = now
	}
	n := int(now.Sub(l.filled) / l.period)
	if n <= 0 {
		return
	}
	l.filled = l.filled.Add(time.Duration(n) * l.period)
	if l.left = min(l.left+n, l.burst); l.left == l.burst {
		l.filled = now
	}
}
