package origin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheLimiter(t *testing.T) {
	now := time.Unix(1000, 0)
	l := NewLimiter(func() time.Time { return now }, 2, time.Second)
	allow := func() bool { ok, _ := l.Allow(); return ok }
	assert.Equal(t, []bool{true, true, false, false}, []bool{allow(), allow(), allow(), allow()})
	now = now.Add(1500 * time.Millisecond)
	ok, dropped := l.Allow()
	assert.True(t, ok)
	assert.Equal(t, 2, dropped)
	now = now.Add(500 * time.Millisecond)
	assert.True(t, allow(), "parts of a period add up")
	now = now.Add(-time.Hour)
	assert.False(t, allow(), "a clock set back gives nothing away")
	now = now.Add(time.Second)
	assert.True(t, allow(), "and takes nothing for long")
	now = now.Add(time.Hour)
	assert.Equal(t, []bool{true, true, false}, []bool{allow(), allow(), allow()}, "the burst is a bound")
}

// FuzzMatchPath holds the matcher to its promise: a path matches a pattern
// only where putting the parameter back, escaped, means the same path.
