package instance

import (
	"sync"
	"time"
)

// idle detects that the instance has not been used for a while. A request or
// stream in progress counts as use for as long as it lasts; /health does not
// count, since it only checks whether the instance is there.
type idle struct {
	after   time.Duration // 0: never idle
	expired chan struct{} // gets one value when the time is over

	mu     sync.Mutex
	active int
	timer  *time.Timer // nil before start and when after is 0
}

func newIdle(after time.Duration) *idle {
	return &idle{after: after, expired: make(chan struct{}, 1)}
}

// start starts the timer.
func (i *idle) start() {
	if i.after <= 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.timer = time.AfterFunc(i.after, i.expire)
	if i.active > 0 {
		i.timer.Stop()
	}
}

func (i *idle) expire() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active > 0 {
		return // a request came while the timer fired; its end starts the timer again
	}
	select {
	case i.expired <- struct{}{}:
	default:
	}
}

// use marks the instance as used until done is called.
func (i *idle) use() (done func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.active++
	if i.timer != nil {
		i.timer.Stop()
	}
	return i.done
}

func (i *idle) done() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active--; i.active == 0 && i.timer != nil {
		i.timer.Reset(i.after)
	}
}

// stop stops the timer.
func (i *idle) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.timer != nil {
		i.timer.Stop()
	}
}
