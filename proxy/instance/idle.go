package instance

import (
	"sync"
	"time"
)

// idleTimer calls a function each time the instance has not been used for a
// while. A request or stream in progress counts as use for as long as it lasts.
// The timer runs only then, so that an instance that nobody uses sleeps.
type idleTimer struct {
	after time.Duration // 0: never
	then  func()        // it must not call use; a use waits for its end

	mu      sync.Mutex
	active  int
	timer   *time.Timer // nil until it first ran
	stopped bool
}

// start starts the timer before the first use.
func (i *idleTimer) start() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.run()
}

// use marks the instance as used until done is called.
func (i *idleTimer) use() (done func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.active++
	if i.timer != nil {
		i.timer.Stop()
	}
	return i.done
}

func (i *idleTimer) done() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.active--
	i.run()
}

// run lets the timer run unless the instance is used. The caller holds mu.
func (i *idleTimer) run() {
	switch {
	case i.after <= 0 || i.active > 0 || i.stopped:
	case i.timer == nil:
		i.timer = time.AfterFunc(i.after, i.expire)
	default:
		i.timer.Reset(i.after)
	}
}

func (i *idleTimer) expire() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active == 0 && !i.stopped { // else a request came while the timer fired; its end starts it again
		i.then()
	}
}

// stop stops the timer for good.
func (i *idleTimer) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stopped = true
	if i.timer != nil {
		i.timer.Stop()
	}
}
