package lane_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/berth-dev/berth/tools/lane"
	"github.com/stretchr/testify/assert"
)

func TestWorkersRunAllTasksAtOnceAndEndWhenIdle(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		w := lane.NewWorkers()
		for range 2 { // in new goroutines, then in those
			var ran atomic.Int32
			var tasks sync.WaitGroup
			tasks.Add(100)
			for range 100 {
				w.Go(func() {
					ran.Add(1)
					tasks.Done()
					tasks.Wait() // for all of them
				})
			}
			synctest.Wait()
			assert.Equal(t, int32(100), ran.Load())
		}
		time.Sleep(time.Minute) // a goroutine that is left fails the test
	})
}
