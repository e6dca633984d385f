package lane_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/lane"
)

func two() *lane.Lane {
	return lane.New(lane.Options{Places: 2, Waiting: 2, Patience: 2 * time.Second, Longest: 10 * time.Second})
}

func enter(t *testing.T, l *lane.Lane, what string) *lane.Place {
	t.Helper()
	p, err := l.Enter(t.Context(), what)
	require.NoError(t, err)
	return p
}

func TestAFullLaneIsWaitedForAndThenSaidWithWhatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := two()
		enter(t, l, "SELECT 1\n FROM slow")
		time.Sleep(3 * time.Second)
		enter(t, l, strings.Repeat("x", 100))
		start := time.Now()
		_, err := l.Enter(t.Context(), "SELECT 2")
		var full *lane.FullError
		require.ErrorAs(t, err, &full)
		assert.Equal(t, 2*time.Second, time.Since(start))
		assert.Equal(t, "2 run at once and no place came free in 2s (1 more wait); the longest: SELECT 1 FROM slow (5s), "+
			strings.Repeat("x", 80)+"… (2s)", err.Error())
	})
}

func TestATaskWaitsForAPlaceInOrderAndKnowsHowLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := two()
		first, second := enter(t, l, "1"), enter(t, l, "2")
		var order []string
		var mu sync.Mutex
		var waiters sync.WaitGroup
		for _, name := range []string{"3", "4"} {
			waiters.Go(func() {
				p, err := l.Enter(t.Context(), name)
				if assert.NoError(t, err) {
					mu.Lock()
					order = append(order, fmt.Sprintf("%s after %v", name, p.Waited))
					mu.Unlock()
				}
			})
			synctest.Wait()
		}
		_, err := l.Enter(t.Context(), "one too many")
		var full *lane.FullError
		require.ErrorAs(t, err, &full, "a third does not wait")
		assert.Zero(t, full.Waited)
		time.Sleep(1500 * time.Millisecond)
		first.Leave()
		first.Leave() // again changes nothing
		synctest.Wait()
		time.Sleep(1500 * time.Millisecond)
		second.Leave()
		waiters.Wait()
		assert.Equal(t, []string{"3 after 1.5s", "4 after 3s"}, order, "a lane that moves is waited for longer than one that stands")
	})
}

func TestALaneThatMovesIsNotWaitedForForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lane.New(lane.Options{Places: 1, Waiting: 50, Patience: 2 * time.Second, Longest: 10 * time.Second})
		p := enter(t, l, "1")
		var others sync.WaitGroup
		for range 20 { // all before the last
			others.Go(func() {
				if p, err := l.Enter(context.Background(), "n"); err == nil {
					time.Sleep(1100 * time.Millisecond) // none leaves in the moment in which the last gives up
					p.Leave()
				}
			})
		}
		synctest.Wait()
		start := time.Now()
		p.Leave()
		_, err := l.Enter(t.Context(), "last")
		assert.ErrorAs(t, err, new(*lane.FullError))
		assert.Equal(t, 10*time.Second, time.Since(start))
		others.Wait()
	})
}

func TestATaskThatIsGivenUpWaitsNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := two()
		one := enter(t, l, "1")
		enter(t, l, "2")
		cause := errors.New("nobody wants it")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(cause) })
		_, err := l.Enter(ctx, "3")
		require.ErrorIs(t, err, cause)
		one.Leave()
		assert.Zero(t, enter(t, l, "4").Waited, "it holds no place")
	})
}
