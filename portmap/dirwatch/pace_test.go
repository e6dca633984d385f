package dirwatch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWhatDoesNotChangeIsLookedAtLessAndLessOften(t *testing.T) {
	p := Pace{Shortest: time.Second}
	var waits []time.Duration
	for range 7 {
		waits = append(waits, p.Next(false, false)/time.Second)
	}
	assert.Equal(t, []time.Duration{1, 2, 4, 8, 16, 30, 30}, waits)
	assert.Equal(t, time.Second, p.Next(false, true))
	assert.Equal(t, Longest, p.Next(true, true), "reports come")
	assert.Equal(t, 2*time.Second, p.Next(false, false))
}
