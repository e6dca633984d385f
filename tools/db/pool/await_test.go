package pool

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/driver"
)

// A reply is on its way within 100 ms after its context ended, also if the
// database does not look at the interruption. The clock is the test's own: on a
// busy machine a real one shows how busy it is.
func TestWorkThatDoesNotStopIsNotWaitedFor(t *testing.T) {
	const before = time.Hour
	for name, tt := range map[string]struct {
		limit time.Duration
		end   func(c *Connections, cancel func()) // of the call, when before has passed
		want  string
	}{
		"cancelled":       {2 * before, func(_ *Connections, cancel func()) { cancel() }, context.Canceled.Error()},
		"at its limit":    {before, func(*Connections, func()) {}, (&timeoutError{before}).Error()},
		"when all closes": {2 * before, func(c *Connections, _ func()) { _ = c.Close() }, driver.ErrClosed.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := New(t.TempDir(), Options{})
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				ends, released := make(chan struct{}), make(chan struct{})
				start := time.Now()
				time.AfterFunc(before, func() { tt.end(c, cancel); close(ends) })
				err = c.await(ctx, tt.limit, func(context.Context) error { <-released; return nil })
				assert.EqualError(t, err, tt.want)
				assert.Less(t, time.Since(start)-before, 100*time.Millisecond)
				<-ends
				close(released)
				assert.NoError(t, c.Close())
				time.Sleep(time.Minute) // the goroutines that were kept for later work end
			})
		})
	}
}
