package instance

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// restAfter is how long nobody called until the collector rests.
	restAfter = time.Minute
	// restRoom is how much memory an instance may take until its collector runs
	// all the same, in bytes; of a large one, an eighth of what it has.
	restRoom = 4 << 20
)

// collector lets the garbage collector of the process rest while nobody calls.
// The runtime collects every two minutes also where nothing was allocated,
// which is more than half of what an instance costs that nobody uses. There are
// calls and there are streams: a page or a window that is only open is no use.
type collector struct {
	calls   *idleTimer
	percent int   // the runtime's GOGC; below 0: it is off, and stays so
	limit   int64 // the runtime's GOMEMLIMIT, in bytes

	mu      sync.Mutex
	resting bool
	rests   int // so far; the number of the last one
}

func newCollector() *collector {
	c := &collector{percent: gcPercent(), limit: debug.SetMemoryLimit(-1)}
	c.calls = &idleTimer{after: restAfter, then: c.rest}
	return c
}

// use wakes the collector until done is called, and for a while after it.
func (c *collector) use() (done func()) {
	done = c.calls.use()
	c.wake()
	return done
}

// stop wakes the collector for good.
func (c *collector) stop() {
	c.calls.stop()
	c.wake()
}

// rest collects for the last time and lets the collector rest. Within the room
// that it leaves nothing is collected. When that is full, the runtime collects,
// which ends the rest: a design that others of a team change may grow.
func (c *collector) rest() {
	if c.percent < 0 {
		return
	}
	debug.FreeOSMemory()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resting = true
	c.rests++
	held := heldBytes()
	debug.SetMemoryLimit(min(c.limit, held+max(restRoom, held/8)))
	debug.SetGCPercent(-1)
	runtime.AddCleanup(&struct{ _ *collector }{}, c.collected, c.rests)
}

// collected is called when the runtime has collected in a rest.
func (c *collector) collected(rest int) {
	c.mu.Lock()
	now := c.resting && c.rests == rest
	c.mu.Unlock()
	if now {
		c.wake()
		c.calls.start()
	}
}

func (c *collector) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resting {
		c.resting = false
		debug.SetGCPercent(c.percent)
		debug.SetMemoryLimit(c.limit)
	}
}

// gcPercent returns the runtime's GOGC; below 0: off.
func gcPercent() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	if percent := sample[0].Value.Uint64(); percent < math.MaxInt32 {
		return int(percent)
	}
	return -1
}

// heldBytes returns what GOMEMLIMIT bounds: all memory that the runtime has from
// the system and has not given back.
func heldBytes() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
