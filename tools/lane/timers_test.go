package lane_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/lane"
)

func TestTimersCallAfterTheirDurationUnlessStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timers := lane.NewTimers(time.Second)
		for range 2 { // also when all were over
			began := time.Now()
			took := make(chan time.Duration, 4)
			var stops []func() bool
			for i := range 4 {
				stops = append(stops, timers.AfterFunc(func() { took <- time.Since(began) }))
				if i == 1 {
					time.Sleep(300 * time.Millisecond)
				}
			}
			assert.True(t, stops[0]())
			assert.False(t, stops[0](), "it was stopped")
			assert.True(t, stops[3]())
			time.Sleep(2 * time.Second)
			require.Len(t, took, 2)
			assert.Equal(t, time.Second, <-took)
			assert.Equal(t, 1300*time.Millisecond, <-took)
			assert.False(t, stops[1](), "it was called")
		}
		time.Sleep(time.Minute) // a goroutine that is left fails the test
	})
}

func TestATaskMayTakeLongAndUseTheTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timers := lane.NewTimers(time.Second)
		var later atomic.Int32
		timers.AfterFunc(func() {
			timers.AfterFunc(func() { later.Add(1) })
			time.Sleep(time.Minute)
		})
		timers.AfterFunc(func() { later.Add(1) })
		time.Sleep(3 * time.Second)
		assert.Equal(t, int32(2), later.Load())
		time.Sleep(time.Minute)
	})
}
