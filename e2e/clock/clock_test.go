package clock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOnlyTheWallClockIsSet(t *testing.T) {
	var c Clock
	before := c.Now()
	for _, off := range []time.Duration{90 * 24 * time.Hour, -time.Hour, 0} {
		c.Set(off)
		now := c.Now()
		assert.InDelta(t, 0, now.Sub(before).Seconds(), 1, "what has passed is what has passed")
		assert.InDelta(t, off.Seconds(), now.Round(0).Sub(before.Round(0)).Seconds(), 1, "what was written down is far away")
	}
}
