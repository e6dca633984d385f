// Package clock plays clocks that are set while a program runs, for tests.
//
// A time.Time from time.Now has two readings: the wall clock's, which a person
// or a time server may set, and the monotonic one's, which only runs on.
// Differences and comparisons of two such times use the second; a time that
// was written down, or turned into a number, has lost it.
package clock

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"
)

// Clock is the machine's, which a test may set. Its zero value shows the right
// time.
type Clock struct{ off atomic.Int64 }

// Now returns what time.Now would return if the clock had been set so: only
// the wall clock's reading differs.
func (c *Clock) Now() time.Time { return jumped(time.Now(), time.Duration(c.off.Load())) }

// Set moves the wall clock to so far from the right time, a number of whole
// seconds.
func (c *Clock) Set(off time.Duration) { c.off.Store(int64(off)) }

// jumped returns t with its wall reading moved. Package time has no way to say
// that, so this knows how a Time with both readings is laid out: a bit that
// says so, 33 bits of seconds, 30 of nanoseconds, then the monotonic reading.
func jumped(t time.Time, by time.Duration) time.Time {
	moved := t
	layout := (*struct {
		wall uint64
		ext  int64
	})(unsafe.Pointer(&moved))
	if layout.wall>>63 != 1 {
		panic("a time without a monotonic reading")
	}
	layout.wall += uint64(int64(by/time.Second)) << 30
	if got := moved.Round(0).Sub(t.Round(0)); got != by || !moved.Equal(t) {
		panic(fmt.Sprintf("moved by %v where %v was wanted: the layout of time.Time has changed", got, by))
	}
	return moved
}
