package lane

import (
	"container/list"
	"sync"
	"time"
)

// Timers call functions after one and the same duration. A call that is over
// sooner costs no timer of the system: one serves all of them, and it is left
// to run when the last one is stopped. Starting a timer for each task and
// stopping it again, when it is to fire before all others, wakes a thread of
// the runtime each time, which for a short task can be a good part of the work.
type Timers struct {
	after time.Duration

	mu    sync.Mutex
	tasks list.List // of *timerTask, the one that is due first at the front
	timer *time.Timer
	runs  bool // the timer
}

type timerTask struct {
	due time.Time
	f   func()
}

// NewTimers returns timers for a duration.
func NewTimers(after time.Duration) *Timers { return &Timers{after: after} }

// AfterFunc is [time.AfterFunc] with the duration of t: f runs in a goroutine of
// its own unless stop is called before, which then returns true.
func (t *Timers) AfterFunc(f func()) (stop func() bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.tasks.PushBack(&timerTask{due: time.Now().Add(t.after), f: f})
	if !t.runs {
		t.runLocked(t.after)
	}
	return func() bool { return t.stop(e) }
}

func (t *Timers) stop(e *list.Element) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	task := e.Value.(*timerTask)
	if task.f == nil {
		return false
	}
	task.f = nil
	t.tasks.Remove(e)
	return true
}

// fire starts what is due and has the timer run for what is due next.
func (t *Timers) fire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs = false
	for e := t.tasks.Front(); e != nil; e = t.tasks.Front() {
		task := e.Value.(*timerTask)
		if left := time.Until(task.due); left > 0 {
			t.runLocked(left)
			return
		}
		go task.f()
		task.f = nil
		t.tasks.Remove(e)
	}
}

func (t *Timers) runLocked(d time.Duration) {
	t.runs = true
	if t.timer == nil {
		t.timer = time.AfterFunc(d, t.fire)
		return
	}
	t.timer.Reset(d)
}
