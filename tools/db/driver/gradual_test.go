package driver

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/dial"
)

func TestFewAreLetInWhileThereIsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGradual(2, 4)
		require.NoError(t, g.enter(t.Context()))
		require.NoError(t, g.enter(t.Context()))
		var entered atomic.Int32
		for range 6 {
			go func() {
				if g.enter(t.Context()) == nil {
					entered.Add(1)
				}
			}()
		}
		for n := range 3 { // one leaves before each moment is over
			time.Sleep(stillTime * 9 / 10)
			g.leave()
			synctest.Wait()
			assert.EqualValues(t, n+1, entered.Load(), "as many as left")
		}
		time.Sleep(stillTime + time.Millisecond)
		synctest.Wait()
		assert.EqualValues(t, 4, entered.Load(), "one more behind what takes long")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.EqualValues(t, 5, entered.Load(), "and no more than there are places")
		g.leave()
		synctest.Wait()
		assert.EqualValues(t, 6, entered.Load())
	})
}

func TestAConnectionThatIsBeingOpenedIsGivenTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGradual(1, 2)
		require.NoError(t, g.enter(t.Context()))
		g.note(+1)
		ctx, cancel := context.WithTimeout(t.Context(), openTime*9/10)
		defer cancel()
		require.ErrorIs(t, g.enter(ctx), context.DeadlineExceeded)
		require.NoError(t, g.enter(t.Context()), "but not without end")
	})
}

func TestAServerOnThisMachineIsSentFewQueriesAtFirst(t *testing.T) {
	for _, host := range []string{"", "localhost", "127.0.0.1", "::1", "/run/postgresql"} {
		assert.Equal(t, processors(), placesAtFirst(dial.Address{Host: host}), "%q", host)
	}
	for _, host := range []string{"db", "192.0.2.1", "db.example.com"} {
		assert.Equal(t, QueryPlaces, placesAtFirst(dial.Address{Host: host}), "%q", host)
	}
}
