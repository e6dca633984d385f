package instance

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheCollectorRestsWhileNobodyCalls(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	c := newCollector()
	require.Positive(t, c.percent)
	c.calls.after = 10 * time.Millisecond
	rests := func() bool { return gcPercent() < 0 }
	wakes := func() bool { return gcPercent() == c.percent && debug.SetMemoryLimit(-1) == limit }

	done := c.use()
	assert.Never(t, rests, 10*c.calls.after, c.calls.after, "somebody calls")
	done()
	require.Eventually(t, rests, 10*time.Second, time.Millisecond)
	assert.Less(t, debug.SetMemoryLimit(-1), heldBytes()+heldBytes()/2+2*restRoom)

	done = c.use()
	assert.True(t, wakes(), "before the call goes on")
	done()
	require.Eventually(t, rests, 10*time.Second, time.Millisecond)
	first := c.rests
	runtime.GC() // as the runtime does when the room is full
	require.Eventually(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.rests > first }, 10*time.Second, time.Millisecond,
		"it wakes, and rests again")

	c.stop()
	assert.True(t, wakes())
	assert.Never(t, rests, 10*c.calls.after, c.calls.after, "it has stopped")
}
