package instance

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// trimAfter is how long nobody called until memory is given back.
	trimAfter = 5 * time.Second
	// trimBytes is how much the heap must have grown for that: a collection
	// costs some milliseconds.
	trimBytes = 16 << 20
)

// newTrimmer returns a timer that gives memory back to the system after work.
// The runtime collects garbage when the heap has grown again, which for an
// instance that nobody calls may be hours later: until then it would keep what
// its largest reply took.
func newTrimmer() *idleTimer {
	var kept uint64 // bytes of the heap after the last time
	return &idleTimer{after: trimAfter, then: func() {
		if heapBytes() >= kept+trimBytes {
			debug.FreeOSMemory()
			kept = heapBytes()
		}
	}}
}

// heapBytes is how much memory the heap keeps from the system, garbage and
// free parts included.
func heapBytes() (sum uint64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	for _, s := range samples {
		sum += s.Value.Uint64()
	}
	return sum
}
