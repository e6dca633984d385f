package instance

import (
	"sync"
	"time"
)

// limiter is a token bucket that allows burst events at once and one more every
// period.
type limiter struct {
	now    func() time.Time
	burst  int
	period time.Duration

	mu      sync.Mutex
	left    int
	filled  time.Time // up to when left counts the refill
	dropped int       // since the last event that was let through
}

func newLimiter(now func() time.Time, burst int, period time.Duration) *limiter {
	return &limiter{now: now, burst: burst, period: period, left: burst, filled: now()}
}

// allow reports whether an event is allowed. dropped is the number of events
// refused since the last allowed one.
func (l *limiter) allow() (ok bool, dropped int) {
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

func (l *limiter) refillLocked() {
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
